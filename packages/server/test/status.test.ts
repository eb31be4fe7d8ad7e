import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../src/composition/version.js';
import { flagsOf, program, runCommand, type ServerProcess, spawnServer } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { runInTerminal } from './support/terminal.js';

describeOneDatabase('memhall status', (database) => {
  let server: ServerProcess;
  let flags: string[];
  beforeAll(async () => {
    flags = flagsOf(database());
    server = await spawnServer(flags);
  });
  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });

  it('shows version, database, embedder, index, jobs and disk of a running server', async () => {
    const port = new URL(server.url).port;
    const { code, stdout } = await runCommand(['status', '--port', port, ...flags]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^server +${server.url}, ok, version ${version}\n`));
    expect(stdout).toMatch(/\ndatabase +(embedded|postgres) \d+.*, schema \d+, [\d.]+ [kM]B\n/);
    expect(stdout).toMatch(/\nembedder +none: recall matches words only\nindex +up to date\njobs +none is late\n/);
    const json = await runCommand(['status', '--json', '--server', server.url, ...flags]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      url: server.url,
      reachable: true,
      health: { status: 'ok', version, indexing: { waiting: 0, lag_seconds: 0 }, jobs: expect.any(Array) },
    });
  });

  it('says what a token would add, and does not fail on a wrong one', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'memhall-status-'));
    try {
      const args = ['status', '--server', server.url, '--data', empty];
      const without = await runCommand(args);
      expect(without).toMatchObject({ code: 0, stderr: '' });
      expect(without.stdout).toContain('set MEMHALL_TOKEN to a token with the role operator');
      const wrong = await runCommand(args, { MEMHALL_TOKEN: 'hunter2' });
      expect(wrong.code).toBe(0);
      expect(wrong.stdout).not.toContain('hunter2');
    } finally {
      rmSync(empty, { recursive: true });
    }
  });
});

describe('memhall status without a server', () => {
  const data = mkdtempSync(join(tmpdir(), 'memhall-status-'));
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  it('says so and what is next, and shows the disk', async () => {
    const once = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => once.once('listening', done));
    const port = String((once.address() as AddressInfo).port);
    await new Promise((done) => once.close(done));
    const { code, stdout } = await runCommand(['status', '--port', port, '--data', data]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^server +cannot be reached at \S+: nothing listens there\nnext +start it/);
    expect(stdout).toMatch(new RegExp(`\ndisk +[\\d.]+ [GT]B free at ${data}\n$`));
  });

  it('says that a process has the data open, such as a server on another port', async () => {
    const server = await spawnServer(['--data', data, '--embedder', 'none']);
    const args = ['status', '--port', '1', '--data', data];
    const { code, stdout } = await runCommand(args);
    const json = await runCommand([...args, '--json']);
    server.child.kill('SIGTERM');
    await server.ended;
    expect(code).toBe(1);
    expect(stdout).toContain(`\nnext      a process has ${data} open: if it is a server on another port, name it with`);
    expect(JSON.parse(json.stdout)).toMatchObject({ reachable: false, in_use: true });
    expect(JSON.parse((await runCommand([...args, '--json'])).stdout)).toMatchObject({ in_use: false });
  });

  it('is not fooled by another program', async () => {
    const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, stdout } = await runCommand(['status', '--server', url, '--json', '--data', data]);
    other.close();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ url, reachable: false, problem: 'something else answers there' });
  });
});

describe('on a terminal', () => {
  const data = mkdtempSync(join(tmpdir(), 'memhall-terminal-'));
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  const environment = { MEMHALL_EMBEDDER: 'none', MEMHALL_CONFIG: 'off', MEMHALL_LOG_LEVEL: '' };

  it('a first start says what it is doing, tables have colours, and logs are for people', async () => {
    const words = [process.execPath, program, 'remember', 'I take my tea without milk.', '--data', data];
    const first = await runInTerminal(words, { environment });
    expect(first.code).toBe(0);
    expect(first.output).toContain('First start: creating the embedded database …');
    expect(first.output).toContain('\r\u001b[KRemembered: ');
    const list = [process.execPath, program, 'list', '--data', data];
    expect((await runInTerminal(list, { environment })).output).toContain('\u001b[1mDATE');
    const logged = await runInTerminal([...list, '--log-level', 'debug', '--log-format', 'text'], {
      environment: { ...environment, NO_COLOR: '1' },
    });
    expect(logged.output).not.toContain('\u001b[');
  });
});
