import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../src/cli/build-program.js';
import { toNodes } from '../src/cli/command-tree.js';
import { FakeChatServer } from '../src/providers/extractors/llm/test-support/fake-chat-server.js';
import { answerJson } from '../src/providers/test-support/fake-openai-server.js';
import { flagsOf, runCommand, type ServerProcess, spawnServer, startProgram } from './support/command.js';
import { connectDirectly, describeEachDatabase, describeOneDatabase } from './support/databases.js';
import { send } from './support/server.js';

function tokenFor(flags: string[], ...args: string[]): Promise<string> {
  return runCommand(['token', '--tenant', 't1', '--user', 'u1', ...args, ...flags.slice(0, 2)]).then(({ stdout }) =>
    stdout.trim(),
  );
}

describeEachDatabase('memhall serve', (database) => {
  let server: ServerProcess;
  let token: string;
  beforeAll(async () => {
    server = await spawnServer(flagsOf(database()));
    token = await tokenFor(flagsOf(database()));
  });

  it('can have its audit log verified while it runs, and a manually altered record is reported', async () => {
    const flags = flagsOf(database());
    for (const key of ['a', 'b', 'c']) {
      await send(server.url, { method: 'PUT', path: `/v1/memory/working/p/${key}`, body: { value: key }, token });
    }
    const verified = await runCommand(['audit', 'verify', ...flags]);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(/^Verify complete: chains=1 records=\d+ faults=0\n/);
    if (database().kind === 'postgres') {
      const direct = connectDirectly(database());
      await direct.query(`UPDATE memhall.audit_records SET record = replace(record, 'u1', 'u2') WHERE seq = 2`);
      await direct.end();
      const broken = await runCommand(['audit', 'verify', ...flags]);
      expect(broken.code).toBe(1);
      expect(broken.stdout).toMatch(/^fault: tenant=t1 user=u1 seq=2 altered\nVerify complete: .* faults=1\n/);
    }
    const unknown = await runCommand(['audit', 'verify', '--tenant', 'nosuch', ...flags]);
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: 'memhall: There is no tenant nosuch: the audit log has no records of it. Check its name.\n',
    });
  });

  it('prints one line of JSON at startup, serves requests and exits with 0 on SIGTERM', async () => {
    const path = '/v1/memory/working/p/k';
    expect((await send(server.url, { method: 'PUT', path, body: { value: 1 }, token })).status).toBe(200);
    expect((await send(server.pluginUrl ?? '', { path: '/v1/health' })).body).toMatchObject({ status: 'ok' });
    const started = Date.now();
    server.child.kill('SIGTERM');
    const { code, stdout, stderr } = await server.ended;
    expect(code).toBe(0);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ event: 'listening', url: server.url, plugin_url: server.pluginUrl });
    for (const line of stderr.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    expect(stderr).not.toContain(token);
  });
});

describeOneDatabase('memhall serve without a plugin port', (database) => {
  it('does not open it if it is set to "off", and exits with 0 on SIGINT', async () => {
    const server = await spawnServer([...flagsOf(database()), '--plugin-port', 'off']);
    expect(server.pluginUrl).toBeNull();
    server.child.kill('SIGINT');
    expect((await server.ended).code).toBe(0);
  });
});

describe('memhall serve on a fresh data directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  const data = join(directory, 'a'.repeat(90), 'data');
  let server: ServerProcess;
  beforeAll(async () => {
    server = await spawnServer(['--data', data], { MEMHALL_EMBEDDER: 'local' });
  });
  afterAll(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
    rmSync(directory, { recursive: true, force: true });
  });

  it('keeps the directory and its secret private, however long the path', () => {
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'jwt-secret')).mode & 0o777).toBe(0o600);
  });

  it('rejects a second server with one sentence, and allows commands', async () => {
    const second = await runCommand(['serve', '--port', '0', '--data', data]);
    expect(second.code).toBe(1);
    expect(second.stderr).toBe(
      `memhall: The data directory ${data} is in use by another process: stop it, or choose another directory (--data, or dataDirectory in the library).\n`,
    );
    expect((await runCommand(['audit', 'verify', '--data', data])).code).toBe(0);
    expect((await runCommand(['migrate', '--data', data])).stdout).toMatch(/up to date/);
    expect((await runCommand(['doctor', '--data', data])).stdout).toMatch(/ok {4}database: embedded/);
  });
});

describe('memhall serve when it cannot start', () => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each([
    [['--port', 'x'], /^memhall: Configuration: --port must be a whole number/],
    [
      ['--database-url', 'postgres://u:hunter2@127.0.0.1:1/db'],
      /^memhall: Cannot connect to PostgreSQL at 127\.0\.0\.1:1\/db \(ECONNREFUSED\)/,
    ],
    [
      ['--database-url', 'mysql://u:hunter2@h/db'],
      /^memhall: Configuration: the database URL must start with postgres/,
    ],
  ])('explains why in one sentence: %j', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(['serve', ...args, '--data', join(directory, 'data')]);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('hunter2');
  });

  it('names the port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => taken.once('listening', done));
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await runCommand([
      'serve',
      '--log-level',
      'error',
      '--port',
      String(port),
      '--data',
      join(directory, 'data'),
    ]);
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`memhall: 127.0.0.1:${port} is already in use. Choose another port with --port`));
  });

  it('rejects a data directory that is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runCommand(['serve', '--data', file]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^memhall: The data directory .* cannot be used \(EEXIST\)/);
  });

  it.each(['holder', '.s.PGSQL.5432'])(
    'rejects a data directory in which %s cannot be written, in one line',
    async (name) => {
      const data = mkdtempSync(join(directory, 'unusable-'));
      mkdirSync(join(data, name, 'in-the-way'), { recursive: true });
      const { code, stderr } = await runCommand(['serve', '--data', data]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^memhall: The data directory \S+ cannot be used \([A-Z_]+\): check .*\n$/);
    },
  );
});

describe('memhall token', () => {
  const data = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  const token = (...args: string[]) =>
    runCommand(['token', '--tenant', 'acme', '--user', 'alice', '--data', data, ...args]);

  it('signs the requested claims', async () => {
    const { stdout } = await token(
      ...['--service', 'crm', '--role', 'service', '--role', 'admin', '--ttl', '15m'],
      ...['--claim', 'team_id=42', '--claim', 'org_root=true', '--claim', 'namespaces=["custom:x"]'],
    );
    const claims = decodeJwt(stdout.trim());
    expect(claims).toMatchObject({
      tenant_id: 'acme',
      user_id: 'alice',
      service_id: 'crm',
      roles: ['service', 'admin'],
      team_id: '42',
      org_root: true,
      namespaces: ['custom:x'],
    });
    expect((claims.exp ?? 0) - Math.floor(claims.iat ?? 0)).toBe(900);
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [['--role', 'root'], /--role must be one of service, admin, operator, not "root"/],
    [['--ttl', '1week'], /--ttl must be a number with s, m, h or d/],
    [['--ttl', '0s'], /--ttl must be/],
    [['--claim', 'novalue'], /--claim must look like name=value/],
    [['--claim', 'roles=["admin"]'], /--claim cannot set roles/],
    [['--service', 'a b'], /--service must be 1 to 128 characters/],
  ])('explains why it rejects %j', async (args, message) => {
    const { code, stderr } = await token(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('needs no secret if an identity provider signs the tokens', async () => {
    const environment = { MEMHALL_JWKS_URL: 'http://127.0.0.1:1/', MEMHALL_JWT_ISSUER: 'i', MEMHALL_JWT_AUDIENCE: 'a' };
    const { code, stderr } = await runCommand(['token', '--tenant', 't', '--user', 'u'], environment);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Tokens are issued by the identity provider/);
  });
});

describe('memhall doctor', () => {
  const directory = mkdtempSync(join(tmpdir(), 'memhall-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('changes nothing on a machine where no server has been started yet', async () => {
    const data = join(directory, 'none');
    const { code, stdout } = await runCommand(['doctor', '--port', '0', '--plugin-port', '0', '--data', data], {
      MEMHALL_EMBEDDER: 'local',
    });
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.slice(0, line.indexOf(':')))).toEqual(
      [
        'node',
        'data directory',
        'database',
        'clock',
        'artifacts',
        'embedder',
        'extractor',
        'keys',
        'audit key',
        'main port',
        'plugin port',
      ]
        .map((subject) => `ok    ${subject}`)
        .concat(''),
    );
    expect(existsSync(data)).toBe(false);
  });

  it('reports problems and how to fix them', async () => {
    const data = join(directory, 'some');
    await runCommand(['token', '--tenant', 't', '--user', 'u', '--data', data]);
    const { chmodSync } = await import('node:fs');
    chmodSync(join(data, 'jwt-secret'), 0o644);
    chmodSync(data, 0o755);
    const url = 'postgres://postgres@127.0.0.1:1/x';
    const { code, stdout } = await runCommand([
      'doctor',
      '--port',
      '0',
      '--plugin-port',
      'off',
      '--data',
      data,
      '--database-url',
      url,
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/warn {2}data directory: .* chmod 700/);
    expect(stdout).toMatch(/FAIL {2}database: Cannot connect to PostgreSQL/);
    expect(stdout).toMatch(/FAIL {2}keys: .* chmod 600/);
  });

  it('finds a data directory that cannot be created', async () => {
    const file = join(directory, 'in-the-way');
    writeFileSync(file, '');
    for (const data of [file, join(file, 'data'), join(file, 'deep', 'data')]) {
      const { code, stdout } = await runCommand(['doctor', '--port', '0', '--plugin-port', 'off', '--data', data]);
      expect(code).toBe(1);
      expect(stdout).toContain(`FAIL  data directory: ${file} is not a directory. Choose another path with --data.\n`);
    }
  });

  it('calls the extraction model and does not print its API key', async () => {
    const server = new FakeChatServer();
    await server.start();
    const environment = {
      MEMHALL_EXTRACTOR: 'llm',
      MEMHALL_EXTRACTOR_URL: server.baseUrl,
      MEMHALL_EXTRACTOR_MODEL: 'small-one',
      MEMHALL_EXTRACTOR_API_KEY: 'sk-secret-0123456789',
    };
    const args = ['doctor', '--port', '0', '--plugin-port', 'off', '--embedder', 'none', '--data', directory];
    expect((await runCommand(args, environment)).stdout).toMatch(/ok {4}extractor: llm-2:small-one/);
    server.interceptNext((_, response) => answerJson(response, 401, { error: { code: 'invalid_api_key' } }));
    const { code, stdout, stderr } = await runCommand(args, environment);
    await server.stop();
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL {2}extractor: .*responded with status 401 \(invalid_api_key\).*MEMHALL_EXTRACTOR/);
    expect(stdout + stderr).not.toContain('sk-secret');
  });
});

describe('every command', async () => {
  const commands = toNodes(await buildProgram({})).filter(({ commands }) => commands.length === 0);

  it.each(commands)('prints help with an example, and says where it is: $path', async ({ path }) => {
    const words = path.split(' ').slice(1);
    const { code, stdout } = await runCommand([...words, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`$ ${path}`);
    const failed = await runCommand([...words, '--unknown']);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain(`\nSee \`${path} --help\`.\n`);
  });

  it('has --json, unless what it prints is for programs anyway', () => {
    const without = commands.filter(({ options }) => !options.some(({ long }) => long === 'json'));
    expect(without.map(({ path }) => path)).toEqual(['memhall completion', 'memhall hook', 'memhall audit prove']);
  });

  it('has a place under the headings of the help', async () => {
    const { stdout } = await runCommand(['--help']);
    expect(stdout).not.toMatch(/^Commands:$/m);
    expect(stdout.match(/^[A-Z].*:$/gm)).toEqual([
      'Options:',
      'Start:',
      'Remember and recall:',
      'Agents and editors:',
      'Run:',
      'Move data:',
      'Govern:',
      'Develop:',
      'Examples:',
    ]);
  });

  it('suggests a similar command for an unknown one', async () => {
    const { code, stderr } = await runCommand(['serv']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Did you mean serve\?/);
  });
});

it('a command whose output nobody reads to its end stops without a word', async () => {
  const { child, ended } = startProgram(['completion', 'zsh']);
  child.stdout?.destroy();
  expect(await ended).toEqual({ code: 141, stdout: '', stderr: '' });
});
