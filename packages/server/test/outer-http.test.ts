import { randomBytes } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { useAzurite } from './support/azurite.js';
import { createTestDatabase, describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { type Answer, startTestServer, type TestServer } from './support/server.js';
import { TcpRelay } from './support/tcp-relay.js';

const base = '/v1/tenants/t1/users/u1/documents';
const place = `${base}/user/user_dynamic.json`;
const writing = { profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update' };

// Each test starts several servers.
vi.setConfig({ testTimeout: 120_000 });

describeOneDatabase('documents over HTTP, in the database and in blobs', (database) => {
  const azurite = useAzurite();

  it('returns the same responses from both stores', async () => {
    const answers = [];
    for (const settings of [{}, azurite().settings()]) {
      const own = await createTestDatabase(database().kind);
      const server = await startTestServer(own, settings);
      try {
        answers.push(normalise(await tell(server)));
      } finally {
        await server.close();
        await own.remove();
      }
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(new Set(answers[0]?.map(({ status }) => status))).toEqual(
      new Set([200, 202, 304, 400, 403, 404, 409, 412, 422]),
    );
  });

  it('stores and reads a large snapshot', async () => {
    const own = await createTestDatabase(database().kind);
    const server = await startTestServer(own, azurite().settings());
    try {
      const token = await server.token({ roles: ['admin'] });
      const path = '/v1/tenants/t1/users/u1/conversations/c1/snapshots';
      const messages = [{ id: 'm1', role: 'user', content: randomBytes(2_000_000).toString('base64') }];
      const body = { profile_id: 'project-copilot-v1', replay: false, messages };
      const taken = await server.call({ method: 'POST', path, body, token });
      expect(taken.status).toBe(202);
      const read = await server.call({ path: `${path}/${taken.body.snapshot_id}`, token });
      expect(read.body.messages).toEqual(messages);
    } finally {
      await server.close();
      await own.remove();
    }
  });

  it('returns 503 for documents while the blobs are unreachable and still serves working memory', async () => {
    const relay = new TcpRelay({ host: '127.0.0.1', port: azurite().port });
    const settings = {
      ...azurite().settings(),
      azureStorageConnectionString: azurite().connectionString(await relay.start()),
    };
    const server = await startTestServer(database(), settings);
    try {
      const ready = () => server.call({ path: '/ready' });
      const write = () =>
        server.call({
          method: 'PATCH',
          path: place,
          headers: { 'if-match': '*', 'idempotency-key': 'k' },
          body: { ...writing, ops: [{ op: 'add', path: '/content/preferences/-', value: 'tea' }] },
        });
      await expect.poll(async () => (await ready()).status).toBe(200);
      relay.cut();
      expectProblem(await write(), 'UNAVAILABLE');
      expectProblem(await server.call({ path: place }), 'UNAVAILABLE');
      expect((await ready()).status).toBe(503);
      const working = { path: '/v1/memory/working/p/k', body: { value: 1 } };
      expect((await server.call({ method: 'PUT', ...working })).status).toBe(200);
      relay.mend();
      expect((await write()).body.document.content.preferences).toEqual(['tea']);
      await expect.poll(async () => (await ready()).status).toBe(200);
    } finally {
      await server.close();
      relay.stop();
    }
  });

  async function tell(server: TestServer): Promise<Answer[]> {
    const answers: Answer[] = [];
    const admin = await server.token({ roles: ['admin'] });
    const service = await server.token({ roles: ['service'], service: 'assistant' });
    const call = async (...[request]: Parameters<TestServer['call']>) => {
      const answer = await server.call(request);
      answers.push(answer);
      return answer;
    };
    let keys = 0;
    const patch = (ops: unknown[], headers: Record<string, string>, more = {}, path = place) =>
      call({
        method: 'PATCH',
        path,
        headers: { 'idempotency-key': `k${++keys}`, ...headers },
        body: { ...writing, ops, ...more },
      });
    const add = (value: string) => [{ op: 'add', path: '/content/preferences/-', value }];

    await call({ path: place });
    await patch(add('x'), { 'if-match': '"unknown"' });
    const first = await patch(add('tea'), { 'if-none-match': '*' });
    await patch(add('again'), { 'if-none-match': '*' });
    const second = await patch(add('milk'), { 'if-match': first.body.etag });
    await patch(add('late'), { 'if-match': first.body.etag });
    const third = await patch(add('sugar'), { 'if-match': '*', 'idempotency-key': 'same' });
    await patch(add('sugar'), { 'if-match': '*', 'idempotency-key': 'same' });
    await patch(add('honey'), { 'if-match': '*', 'idempotency-key': 'same' });
    await call({ path: place });
    await call({ path: place, headers: { 'if-none-match': third.body.etag } });
    await call({ path: `${place}?at=${second.body.document.updated_at}` });
    await call({ path: `${place}?at=2020-01-01T00:00:00Z` });
    await patch([{ op: 'test', path: '/content/preferences/0', value: 'no' }], { 'if-match': '*' });
    await patch([{ op: 'add', path: '/doc_id', value: 'mine' }], { 'if-match': '*' });
    await patch([{ op: 'add', path: '/content/preferences', value: [1] }], { 'if-match': '*' });
    await patch([{ op: 'add', path: '/content/preferences', value: Array(13).fill('x') }], { 'if-match': '*' });
    await patch(add('sure?'), { 'if-match': '*' }, { confidence: 0.1, evidence: { message_ids: ['m1'] } });
    await patch(add('x'), { 'if-match': '*' }, { binding_id: 'project_doc' });
    await patch(add('x'), { 'if-match': '*' }, { profile_id: 'none' });
    await patch(add('x'), {});
    const project = `${base}/projects/alpha%20beta.json`;
    const summary = [{ op: 'add', path: '/content/summary', value: 'Ünïcode ✓' }];
    await patch(summary, { 'if-match': '*' }, { binding_id: 'project_doc' }, project);
    await patch(summary, { 'if-match': '*' }, { binding_id: 'project_doc' }, `${base}/projects/..%2Fescape.json`);
    await call({ path: project });
    const content = { profile: { name: 'Ada', z: 1, a: 2 } };
    const replacement = { ...writing, binding_id: 'user_static', document: { content } };
    const replaced = { method: 'PUT', path: `${base}/user/user_static.json`, body: replacement };
    await call({ ...replaced, headers: { 'if-match': '*', 'idempotency-key': 'put' } });
    await call({ ...replaced, headers: { 'if-match': '*', 'idempotency-key': 'put' }, token: admin });
    await call({ path: `${base}/user/user_static.json` });
    await call({ path: base });
    await call({ path: `${place}/history` });
    await call({ path: `${place}/history?limit=1` });
    const user = base.replace('/documents', '');
    const post = (path: string, body: unknown) =>
      call({ method: 'POST', path: `${user}${path}`, body, token: service });
    for (const digest of ['The kettle broke.', 'The kettle was mended.']) {
      await post('/events', { event: { event_id: 'evt_1', digest, timestamp: '2026-02-14T20:00:00.000Z' } });
    }
    await post('/events:search', { query: 'kettle' });
    await post('/events:search', {});
    await post('/context:assemble', { profile_id: writing.profile_id, conversation_hint: { text: 'tea' } });
    await call({ path: `${user}/audit?target=documents/user/user_dynamic.json`, token: service });
    return answers;
  }
});

/** Replaces ids, times and tags, which differ between servers, by names that preserve which of them are equal. */
function normalise(answers: readonly Answer[]) {
  const names = new Map<string, string>();
  const rename = (text: string) =>
    text.replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}|\d{4}-\d\d-\d\dT[\d:.]+Z|[\w-]{27}(?=\\?")|[0-9a-f]{64}/g,
      (found) => {
        if (!names.has(found)) names.set(found, `#${names.size}`);
        return names.get(found) ?? '';
      },
    );
  return answers.map(({ status, headers, body }) => ({
    status,
    etag: rename(headers.get('etag') ?? ''),
    body: rename(JSON.stringify(body)),
  }));
}
