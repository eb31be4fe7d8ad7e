import { applyPatch, type Json, jsonEqual } from '@memhall/core';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, openStore } from '../src/composition/open-database.js';
import { documentAt } from '../src/engine/documents/document-at.js';
import type { DocumentRecord } from '../src/engine/documents/document-record.js';
import { rebuildDocument } from '../src/engine/documents/rebuild-document.js';
import type { Store } from '../src/ports/store.js';
import type { Database } from '../src/store/database.js';
import { describeOneDatabase } from './support/databases.js';
import { DocumentUser, register } from './support/document-user.js';
import { type Answer, useServer } from './support/server.js';

const place = 'n/d.json';
const binding = { binding_id: 'b', namespace: 'n', path: 'd.json', schema_id: 's', schema_version: '1' };
const initial = { a: { x: 1 }, list: [] };
const profile = {
  document_bindings: [
    { ...binding, max_chars: 400, deny_paths: ['/a/shut'], max_ops: 4, initial },
    { ...binding, binding_id: 'free', write_mode: 'replace_allowed' },
  ],
  writable_path_rules: { b: ['/a', '/list', '/b'] },
  compaction_rules: { b: { max_list: 5 } },
  confidence_rules: { min_confidence_for_auto_apply: 0.5, on_low_confidence: 'pending' },
  sections: { pending: '/asked' },
};
const schema = { type: 'object', properties: { list: { type: 'array', items: { type: ['string', 'number'] } } } };

const pointer = fc.constantFrom('/a', '/a/x', '/a/shut', '/a/y/z', '/list', '/list/0', '/list/-', '/b', '/c', '');
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('s', 7, null, [], {}, [1, 'two'], { x: { y: [1] } }, 'x'.repeat(150), { z: -0.5, '': '' }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constantFrom('add'), path: fc.constantFrom('/list/-', '/a/x', '/b'), value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
);
const inContent = ({ path, ...rest }: { path: string; from?: string }) => ({
  ...rest,
  path: `/content${path}`,
  ...(rest.from === undefined ? {} : { from: `/content${rest.from}` }),
});

/** One valid or invalid request by one of three writers. */
const request = fc.record({
  writer: fc.constantFrom('alpha', 'beta', 'gamma'),
  kind: fc.constantFrom('patch', 'patch', 'patch', 'patch', 'put'),
  ops: fc.array(operation.map(inContent), { maxLength: 5 }),
  content: fc.dictionary(fc.constantFrom('a', 'list', 'b', 'c'), value, { maxKeys: 3 }),
  condition: fc.constantFrom('*', 'latest', 'latest', 'stale'),
  confidence: fc.constantFrom(undefined, undefined, 0.9, 0.2),
  key: fc.constantFrom(undefined, undefined, undefined, 'k1', 'k2'),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

describeOneDatabase('any sequence of writes', (database) => {
  const server = useServer(database);
  let opened: Database;
  let store: Store;
  beforeAll(async () => {
    await register(server(), 't1', 'p', profile, { 's/1': schema });
    opened = await openDatabase(database().config(), pino({ level: 'silent' }), { shareRunning: true });
    store = openStore(opened);
  });
  afterAll(() => opened.close());

  async function carryOut(user: DocumentUser, { writer, kind, ops, content, condition, confidence, key }: Request) {
    const latest = (await user.get(place)).body.etag;
    const etag = condition === 'latest' ? (latest ?? '*') : condition === 'stale' ? '"stale"' : '*';
    const sending = {
      body: { profile_id: 'p', binding_id: kind === 'put' ? 'free' : 'b', confidence },
      headers: { 'if-match': etag, 'x-service-id': writer, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    };
    return kind === 'put' ? user.put(place, content, sending) : user.patch(place, ops, sending);
  }

  it('leaves the state that its audit records describe at every version, and nothing of rejected writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 40 }), async (requests) => {
        const user = await DocumentUser.of(server());
        const states: Answer['body'][] = [];
        for (const one of requests) {
          const before = (await user.get(place)).body;
          const answer = await carryOut(user, one);
          const after = (await user.get(place)).body;
          expect(answer.status).toBeLessThan(500);
          if (answer.status !== 200 || answer.body.idempotency_replay) expect(after.etag).toEqual(before.etag);
          else expect(after).toEqual({ etag: answer.body.etag, document: answer.body.document });
          const same =
            before.document !== undefined && jsonEqual(before.document.content, after.document?.content ?? null);
          expect(after.etag === before.etag).toBe(same || after.document === undefined);
          if (after.etag !== before.etag) states.push(after);
        }
        await expectTold(user, states);
      }),
      { numRuns: 25 },
    );
  });

  async function expectTold(user: DocumentUser, states: Answer['body'][]): Promise<void> {
    const scope = { tenantId: user.tenant, userId: user.user };
    const versions = states.length === 0 ? [] : (await user.versions(place)).reverse();
    expect(versions.map(({ etag }) => etag)).toEqual(states.map(({ etag }) => etag));
    let content: Json = null;
    for (const [index, state] of states.entries()) {
      const at = await user.get(place, { tail: `?at=${state.document.updated_at}` });
      expect(at.body).toEqual(state);
      const version = await store.read(scope, (tables) =>
        documentAt(tables, { namespace: 'n', path: 'd.json' }, { version: index + 1 }),
      );
      expect(version?.body).toEqual(state.document);
      if (index === 0) content = versions[0].binding_id === 'b' ? initial : {};
      content = (applyPatch({ content }, versions[index].ops) as { content: Json }).content;
      expect(content).toEqual(state.document.content);
    }
    const rebuilt = await rebuildDocument(store, scope, { namespace: 'n', path: 'd.json' });
    expect(rebuilt.fault).toBe(states.length === 0 ? 'there is no such document' : undefined);
    const records = await store.read(scope, (tables) => tables.audit.records(user.user, { after: 0n, limit: 1000 }));
    const told = records.map(({ record }) => JSON.parse(record) as DocumentRecord);
    expect(told.map(({ post_etag }) => `"${post_etag}"`)).toEqual(states.map(({ etag }) => etag));
  }

  it('changes nothing that another user, or the same user id in another tenant, reads', async () => {
    await register(server(), 't2', 'p', profile, { 's/1': schema });
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 8 }),
        fc.array(request, { minLength: 1, maxLength: 15 }),
        async (theirs, mine) => {
          const me = await DocumentUser.of(server());
          const others = [
            await DocumentUser.of(server(), { user: `${me.user}0` }),
            await DocumentUser.of(server(), { tenant: 't2', user: me.user }),
          ];
          for (const other of others) for (const one of theirs) await carryOut(other, one);
          const before = await Promise.all(others.map(everythingOf));
          for (const one of mine) expect((await carryOut(me, one)).status).toBeLessThan(500);
          expect(await Promise.all(others.map(everythingOf))).toEqual(before);
        },
      ),
      { numRuns: 10 },
    );
  });

  async function everythingOf(user: DocumentUser): Promise<unknown[]> {
    const answers = [await user.get(place), await user.get(place, { tail: '/history' }), await user.list()];
    return answers.map(({ status, body: { error, ...rest } }) => ({ status, code: error?.code, rest }));
  }
});
