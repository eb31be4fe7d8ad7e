import { type Json, type PatchOperation, rebasePatch } from '@memhall/core';
import { describe, expect, inject, it } from 'vitest';
import { flagsOf, runCommand, type ServerProcess, spawnServer } from './support/command.js';
import { createTestDatabase, describeOneDatabase, type TestDatabase } from './support/databases.js';
import { DocumentUser, register } from './support/document-user.js';
import { add } from './support/documents.js';
import { type Answer, send, useServer } from './support/server.js';

const writers = 20;
/** Every change makes all others rebase, so what a turn costs grows with the square of the writers. */
const turns = process.env.MEMHALL_TEST_LONG === undefined ? 1 : 3;
const place = 'shared/board.json';
const schema = { type: 'object' };
const profile = {
  document_bindings: [
    {
      binding_id: 'board',
      namespace: 'shared',
      path: 'board.json',
      schema_id: 'board',
      schema_version: '1',
      initial: { log: [], head: 'nobody', counts: {} },
    },
  ],
  writable_path_rules: { board: [''] },
};
const body = { profile_id: 'racing', binding_id: 'board' };

/** A writer's access to the document. */
interface Desk {
  read(): Promise<Answer>;
  write(ops: readonly PatchOperation[], etag: string, key: string): Promise<Answer>;
}

/** Makes its changes, each under a key of its own. Rebases and resends a change until it is accepted. */
async function work(desk: Desk, writer: number, acknowledged: string[]): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    const mark = `${writer}-${turn}`;
    let base = (await desk.read()).body;
    const position = (writer + turn) % 2 === 0 ? '0' : '-';
    let ops = [add(`/log/${position}`, mark), add(`/counts/${mark}`, turn)];
    for (;;) {
      const answer = await desk.write(ops, base.etag, `key-${mark}`);
      if (answer.status === 200) break;
      expect(answer.body.error).toMatchObject({ code: 'ETAG_MISMATCH', details: { latest_etag: expect.any(String) } });
      const latest = (await desk.read()).body;
      const rebased = rebasePatch({ base: toJson(base), latest: toJson(latest), ops });
      if ('conflict' in rebased) throw new Error(rebased.conflict.reason);
      [base, ops] = [latest, rebased.ops];
    }
    // The response may have been lost. Sending the same request again must not apply it twice.
    expect((await desk.write(ops, base.etag, `key-${mark}`)).body.idempotency_replay).toBe(true);
    acknowledged.push(mark);
  }
}

function toJson({ document }: Answer['body']): Json {
  return { content: document.content };
}

function expectAll(
  content: { log: string[]; counts: object },
  versions: Answer['body'][],
  acknowledged: string[],
): void {
  expect(acknowledged).toHaveLength(writers * turns);
  expect([...content.log].sort()).toEqual([...acknowledged].sort());
  expect(Object.keys(content.counts).sort()).toEqual([...acknowledged].sort());
  expect(versions.map(({ version }) => version)).toEqual(
    Array.from({ length: writers * turns + 1 }, (_, index) => writers * turns + 1 - index),
  );
  for (const [index, { pre_etag }] of versions.slice(0, -1).entries()) expect(pre_etag).toBe(versions[index + 1].etag);
}

describeOneDatabase('twenty writers of one document', (database) => {
  const server = useServer(database);

  it('lose nothing and write nothing twice if each rebases on the others', { timeout: 120_000 }, async () => {
    await register(server(), 't1', 'racing', profile, { 'board/1': schema });
    const user = await DocumentUser.of(server());
    await user.patched(place, [], { body });
    const desk: Desk = {
      read: () => user.get(place),
      write: (ops, etag, key) =>
        user.patch(place, ops, { body, headers: { 'if-match': etag, 'idempotency-key': key } }),
    };
    const acknowledged: string[] = [];
    await Promise.all(Array.from({ length: writers }, (_, writer) => work(desk, writer, acknowledged)));
    expectAll(await user.content(place), await user.versions(place), acknowledged);
  });

  it('succeed in creating it exactly once', async () => {
    await register(server(), 't1', 'racing', profile, { 'board/1': schema });
    const user = await DocumentUser.of(server());
    const headers = { 'if-match': undefined, 'if-none-match': '*' };
    const answers = await Promise.all(
      Array.from({ length: writers }, (_, writer) => user.patch(place, [add('/log/-', writer)], { body, headers })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(writers - 1);
    expect((await user.content(place)).log).toHaveLength(1);
  });
});

async function withServers(
  database: TestDatabase,
  count: number,
  use: (servers: ServerProcess[], token: string) => Promise<void>,
): Promise<void> {
  const flags = flagsOf(database);
  const roles = ['--role', 'admin', '--ttl', '1h'];
  const { stdout } = await runCommand(['token', '--tenant', 't1', '--user', 'u1', ...roles, ...flags.slice(0, 2)]);
  const servers = await Promise.all(
    Array.from({ length: count }, () => spawnServer([...flags, '--log-level', 'silent'], { MEMHALL_EMBEDDER: 'none' })),
  );
  try {
    await use(servers, stdout.trim());
  } finally {
    for (const { child } of servers) child.kill('SIGTERM');
    await Promise.all(servers.map(({ ended }) => ended));
  }
}

describe.runIf(inject('postgresUrl') !== null)('twenty writers on two servers with one PostgreSQL', () => {
  it('lose nothing and write nothing twice', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase('postgres');
    await withServers(database, 2, async (servers, token) => {
      const path = '/v1/tenants/t1/users/u1/documents/shared/board.json';
      const call = (server: number, method: string, to: string, sent?: object, headers = {}) =>
        send(servers[server % 2]?.url ?? '', { method, path: to, token, headers, body: sent });
      await call(0, 'PUT', '/v1/tenants/t1/schemas/board/1', { schema });
      await call(1, 'PUT', '/v1/tenants/t1/profiles/racing', profile);
      const write = (at: number, ops: readonly PatchOperation[], etag: string, key: string) =>
        call(at, 'PATCH', path, { ...body, ops, reason: 'live_update' }, { 'if-match': etag, 'idempotency-key': key });
      expect((await write(0, [], '*', 'first')).status).toBe(200);
      const acknowledged: string[] = [];
      const desks = Array.from({ length: writers }, (_, writer): Desk => {
        // Every other call goes to the other server, which must know everything the first one acknowledged.
        let calls = writer;
        return {
          read: () => call(calls++, 'GET', path),
          write: (ops, etag, key) => write(calls++, ops, etag, key),
        };
      });
      await Promise.all(desks.map((desk, writer) => work(desk, writer, acknowledged)));
      const read = (await call(0, 'GET', path)).body;
      const history = (await call(1, 'GET', `${path}/history?limit=100`)).body;
      expectAll(read.document.content, history.versions, acknowledged);
    });
    const verified = await runCommand(['audit', 'verify', ...flagsOf(database)]);
    expect(verified.stdout).toMatch(/faults=0\n/);
    await database.remove();
  });
});
