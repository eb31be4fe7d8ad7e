import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.js';
import { createTestDatabase, type TestDatabase } from './support/databases.js';
import { startTestServer, type TestServer } from './support/server.js';

const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  runCommand(['conformance', 'plugin', ...args], environment);

describe('memhall conformance plugin', () => {
  let database: TestDatabase;
  let server: TestServer;
  let directory: string;
  const target = () => ['--target', server.pluginUrl ?? ''];
  const token = { MEMHALL_PLUGIN_TOKEN: 'shared' };
  const some = ['--only', 'PLUGIN-HEALTH', 'PLUGIN-NS-01'];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'memhall-conformance-'));
    database = await createTestDatabase('embedded');
    server = await startTestServer(database, { pluginToken: 'shared' });
  });
  afterAll(async () => {
    await server?.close();
    await database?.remove();
    rmSync(directory, { recursive: true });
  });

  it('reports each requirement as text, JUnit and JSON, and exits with 0 if all pass', async () => {
    const [junit, json] = [join(directory, 'report.xml'), join(directory, 'report.json')];
    const { code, stdout, stderr } = await run([...target(), ...some, '--junit', junit, '--json', json], token);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Memory plugin v1 at http/);
    expect(stdout).toMatch(/^ {2}ok {4}PLUGIN-NS-01 {2,}PUT creates a namespace/m);
    expect(stdout).toMatch(/^Passed: 5 passed; /m);
    expect(stdout).not.toContain('\u001b');
    expect(readFileSync(junit, 'utf8')).toContain('<testsuites name="Memory plugin v1" tests="5" failures="0"');
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ isPassed: true, counts: { passed: 5 } });
  });

  it('exits with 1 if a declared gap passes', async () => {
    const gaps = join(directory, 'gaps.json');
    writeFileSync(gaps, JSON.stringify([{ id: 'PLUGIN-NS-01', reason: 'not yet' }]));
    const { code, stdout } = await run([...target(), ...some, '--known-gaps', gaps], token);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /DONE {2}PLUGIN-NS-01.*\n.*was declared as a gap \(not yet\) but passes: remove it from the list/,
    );
  });

  it('exits with 1 if the target is not a memory plugin', async () => {
    const stranger = createServer((_, response) => response.end('hello'));
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    const { port } = stranger.address() as AddressInfo;
    const { code, stdout } = await run(['--target', `http://127.0.0.1:${port}`, ...some]);
    stranger.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL {2}PLUGIN-HEALTH-01/);
  });

  it('lists the requirements without calling a target', async () => {
    const { code, stdout } = await run(['--list']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}PLUGIN-EMB-02 +must +Query and embedding are fused.*\[embedding, fts\]$/m);
  });

  it.each([
    ['no target', [], /--target is required/],
    ['nobody at the target', ['--target', 'http://127.0.0.1:1'], /http:\/\/127\.0\.0\.1:1 does not respond/],
    ['an unknown option', ['--colour'], /unknown option/],
    [
      'gaps that are not there',
      ['--target', 'http://127.0.0.1:1', '--known-gaps', '/nowhere'],
      /Cannot read the file of known gaps/,
    ],
  ])('exits with 2 on %s', async (_name, args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('exits with 2 if access is denied or a requirement does not exist', async () => {
    const refused = await run([...target(), '--token', 'wrong'], token);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/denies access \(401\)/) });
    const unknown = await run([...target(), '--only', 'PLUGIN-XX-01'], token);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/no requirement PLUGIN-XX-01/) });
  });
});
