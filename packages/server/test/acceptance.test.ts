import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { flagsOf, runCommand } from './support/command.js';
import { describeOneDatabase } from './support/databases.js';
import { add, documentPath, patch } from './support/documents.js';
import { pastEverything } from './support/past-everything.js';
import { useServer } from './support/server.js';

/** The acceptance criteria for the first version of governed documents, tested end to end. */
describeOneDatabase('acceptance', (database) => {
  const server = useServer(database, { jobs: 'true' });
  let admin: string;

  beforeAll(async () => {
    admin = await server().token({ roles: ['admin'], service: 'assistant-a' });
  });

  const newUser = () => `u-${randomUUID()}`;
  const at = (user: string, rest: string) => `/v1/tenants/t1/users/${user}/${rest}`;
  const post = (path: string, body: unknown) => server().call({ method: 'POST', path, body, token: admin });
  const get = (path: string) => server().call({ path, token: admin });

  async function replay(user: string, messages: { id: string; role: string; content: string; timestamp?: string }[]) {
    const taken = await post(at(user, 'conversations/c1/snapshots'), { messages, profile_id: 'project-copilot-v1' });
    for (;;) {
      const { body } = await get(at(user, `replays/${taken.body.replay_id}`));
      if (body.status === 'completed' || body.status === 'failed') return { ...body, ...taken.body };
      await sleep(50);
    }
  }

  describe('1. Service supports profile-driven schema validation and writable path policies', () => {
    it('validates documents against a schema and path rules that a tenant registers', async () => {
      const put = (path: string, body: unknown) => server().call({ method: 'PUT', path, body, token: admin });
      const schema = {
        type: 'object',
        properties: { orders: { type: 'array', items: { type: 'integer' } }, total: { type: 'number' } },
      };
      expect((await put('/v1/tenants/t1/schemas/shop.basket/1.0.0', { schema })).status).toBe(201);
      const binding = {
        binding_id: 'basket',
        namespace: 'shop',
        path: 'basket.json',
        schema_id: 'shop.basket',
        schema_version: '1.0.0',
      };
      const profile = {
        document_bindings: [{ ...binding, initial: { orders: [], total: 0 } }],
        writable_path_rules: { basket: ['/orders'] },
      };
      expect((await put('/v1/tenants/t1/profiles/shop-v1', profile)).status).toBe(201);
      const write = (user: string, path: string, value: unknown) =>
        patch(server(), {
          user,
          token: admin,
          profile: 'shop-v1',
          binding: 'basket',
          document: ['shop', 'basket.json'],
          ops: [add(path, value)],
        });
      const user = newUser();
      expect((await write(user, '/orders/-', 7)).body.document.content).toEqual({ orders: [7], total: 0 });
      expect((await write(user, '/orders/-', 'seven')).body.error.code).toBe('SCHEMA_VALIDATION_FAILED');
      expect((await write(user, '/total', 3)).body.error.code).toBe('PATH_NOT_WRITABLE');
    });
  });

  describe('2. Live patching uses required ETag and idempotency semantics', () => {
    it('rejects patches without the required headers and patches with a stale ETag', async () => {
      const user = newUser();
      const ops = [add('/preferences/-', 'tea')];
      const path = documentPath(user, ['user', 'user_dynamic.json']);
      const body = { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update', ops };
      const send = (headers: Record<string, string>) =>
        server().call({ method: 'PATCH', path, headers, body, token: admin });
      expect((await send({ 'idempotency-key': 'k' })).body.error.code).toBe('MISSING_IF_MATCH');
      expect((await send({ 'if-match': '*' })).body.error.code).toBe('MISSING_IDEMPOTENCY_KEY');
      const created = await send({ 'if-none-match': '*', 'idempotency-key': 'k' });
      expect(created.status).toBe(200);
      const again = await send({ 'if-none-match': '*', 'idempotency-key': 'k' });
      expect(again.body).toEqual({ ...created.body, idempotency_replay: true });
      const stale = await send({ 'if-match': '"old"', 'idempotency-key': 'l' });
      expect(stale.status).toBe(412);
      expect(stale.body.error.details.latest_etag).toBe(created.body.etag);
      expect((await send({ 'if-match': created.body.etag, 'idempotency-key': 'l' })).status).toBe(200);
    });
  });

  describe('3. Replay pipeline writes structured digests and evidence-linked patches', () => {
    it('links every digest and patch to the messages it is based on', async () => {
      const user = newUser();
      const done = await replay(user, [
        { id: 'm1', role: 'user', content: 'My name is Dana. I prefer short answers.' },
      ]);
      expect(done).toMatchObject({ status: 'completed', outcome: { patches_applied: 2 } });
      const history = await get(`${documentPath(user, ['user', 'user_dynamic.json'])}/history`);
      expect(history.body.versions[0]).toMatchObject({
        reason: 'replay_update',
        confidence: expect.any(Number),
        evidence: { snapshot_uri: done.snapshot_uri, conversation_id: 'c1', message_ids: ['m1'] },
      });
      const events = await post(at(user, 'events:search'), { query: 'Dana' });
      expect(events.body.results[0]).toMatchObject({
        snapshot_uri: done.snapshot_uri,
        evidence: { message_ids: ['m1'], span: { start: 0, end: 0 } },
      });
    });
  });

  describe('4. Context assembly works without exposing direct memory search tools to the LLM', () => {
    it('returns documents and nothing that can be called', async () => {
      const user = newUser();
      await patch(server(), { user, token: admin, ops: [add('/preferences/-', 'tea')] });
      const { body } = await post(at(user, 'context:assemble'), { profile_id: 'project-copilot-v1' });
      expect(Object.keys(body).sort()).toEqual(['documents', 'dropped_bindings', 'selected_project_id']);
      expect(Object.keys(body.documents[0]).sort()).toEqual(['binding_id', 'document', 'etag', 'namespace', 'path']);
    });
  });

  describe('5. Retention and forget-user flows are implemented and tested', () => {
    it('deletes old events and whole users, with a verifiable receipt', async () => {
      // A new server applies retention by itself once, and might delete the old event first.
      const applied = `SELECT FROM memhall_queue.job WHERE name = 'retain' AND state = 'completed'`;
      while ((await pastEverything(database(), applied)).length === 0) await sleep(50);
      const user = newUser();
      await patch(server(), { user, token: admin, ops: [add('/preferences/-', 'tea')] });
      await post(at(user, 'events'), { event: { digest: 'Long ago.', timestamp: '2020-01-01T00:00:00Z' } });
      await post(at(user, 'events'), { event: { digest: 'Just now.' } });
      const retained = await post(at(user, 'retention:apply'), { profile_id: 'project-copilot-v1' });
      expect(retained.body).toMatchObject({ events_deleted: 1, search_documents_deleted: 1 });
      const left = await post(at(user, 'events:search'), {});
      expect(left.body.results).toMatchObject([{ digest: 'Just now.' }]);
      const forgotten = await server().call({ method: 'DELETE', path: at(user, 'memory'), token: admin });
      expect(forgotten.status).toBe(200);
      expect((await get(documentPath(user, ['user', 'user_dynamic.json']))).status).toBe(404);
      expect((await post(at(user, 'events:search'), {})).body.results).toEqual([]);
      const receipt = await get(`/v1/tenants/t1/receipts/${forgotten.body.receipt.id}`);
      expect(receipt.body).toMatchObject({ verified: true });
    });
  });

  describe('6. Audit logs allow full reconstruction of memory mutations', () => {
    it('rebuilds every document from its audit records alone', async () => {
      const user = newUser();
      for (let number = 0; number < 40; number++) {
        const ops =
          number < 12
            ? [add('/preferences/-', `p${number}`)]
            : [add('/preferences/0', `p${number}`), { op: 'remove' as const, path: '/content/preferences/12' }];
        expect((await patch(server(), { user, token: admin, ops })).status).toBe(200);
      }
      await replay(user, [{ id: 'm1', role: 'user', content: 'My name is Dana.' }]);
      const run = await runCommand(['audit', 'rebuild', '--tenant', 't1', '--user', user, ...flagsOf(database())]);
      expect(run.stdout).toBe('Rebuild complete: documents=1 differing=0\n');
      expect(run.code).toBe(0);
      expect((await runCommand(['audit', 'verify', '--tenant', 't1', ...flagsOf(database())])).code).toBe(0);
    });
  });
});
