import { beforeAll, expect, it } from 'vitest';
import { nilId } from '../src/engine/audit/off-the-record.js';
import { describeOneDatabase, type TestDatabase } from './support/databases.js';
import { findText } from './support/find-text.js';
import { GatewayUser } from './support/gateway-user.js';
import { useMcpClients } from './support/mcp-client.js';
import { pastEverything } from './support/past-everything.js';
import { newMarker } from './support/personal-writes.js';
import { type Call, send, useServer } from './support/server.js';
import { gatewayWrites, off, tokenWrites, toolWrites } from './support/unrecorded-writes.js';

interface AuditRecord {
  operation: string;
  target: string;
  request_id: string;
  content_sha256: string | null;
  off_the_record?: true;
}

/** Returns the records of all chains that were added while the work was done. */
async function recordsOf(database: TestDatabase, work: () => Promise<unknown>): Promise<AuditRecord[]> {
  const read = () =>
    pastEverything<{ id: string; record: string }>(
      database,
      `SELECT user_id || ' ' || seq AS id, record FROM memhall.audit_records WHERE tenant_id = 't1' ORDER BY user_id, seq`,
    );
  const before = new Set((await read()).map(({ id }) => id));
  await work();
  return (await read()).filter(({ id }) => !before.has(id)).map(({ record }) => JSON.parse(record));
}

const unstored = { content_sha256: null, pre_etag: null, post_etag: null, off_the_record: true };

describeOneDatabase('a call off the record', (database) => {
  const server = useServer(database, { mcpTools: 'all' });
  const connect = useMcpClients();
  const marker = newMarker();
  let gateway: GatewayUser;
  let token: string;

  beforeAll(async () => {
    gateway = await GatewayUser.of(server(), { user: 'otto' });
    token = await server().token({ user: 'otto' });
  });
  const call = (one: Call, headers: Record<string, string> = off) =>
    server().call({ token, ...one, headers: { ...one.headers, ...headers } });

  it('stores nothing through any surface, says so, and leaves one record without content', async () => {
    for (const write of tokenWrites({ gateway, token, marker })) {
      const name = `${write.method} ${write.path}`;
      let answer = { status: 0, header: null as string | null, code: undefined };
      const records = await recordsOf(database(), async () => {
        const { status, headers, body } = await call(write);
        answer = { status, header: headers.get('off-the-record'), code: body.error?.code };
      });
      const isState = /working|task-context|plans|sessions|:merge/.test(name);
      expect([name, answer]).toEqual([
        name,
        isState
          ? { status: 409, header: null, code: 'OFF_THE_RECORD' }
          : { status: /events|snapshots/.test(name) ? 202 : 200, header: 'true', code: undefined },
      ]);
      expect([name, records]).toEqual([name, [expect.objectContaining({ ...unstored, target: 'off-the-record' })]]);
    }
  });

  it('stores nothing through the gateway', async () => {
    const records = await recordsOf(database(), async () => {
      const { added, flushed, uploaded } = await gatewayWrites({ server: server(), gateway, token, marker }, off);
      expect([added.status, added.body, added.headers.get('off-the-record')]).toEqual([
        200,
        { message_count: 0, status: 'accumulated' },
        'true',
      ]);
      expect(flushed.body).toEqual({ status: 'no_extraction', episodes: 0 });
      expect(uploaded.body).toMatchObject({ status: 'failed', reason: 'off_the_record', chunks: 0 });
    });
    expect(records.map(({ operation }) => operation)).toEqual(['gateway.add', 'gateway.flush', 'resources.upload']);
  });

  it('stores nothing through MCP tools and the plugin listener', async () => {
    const client = await connect(server().url, token);
    const records = await recordsOf(database(), async () => {
      const { committed, written, ...more } = await toolWrites(client, marker);
      expect(committed).toMatchObject({ memory_id: nilId, off_the_record: true });
      expect(written).toMatchObject({ content: 'Nothing was stored: this is off the record.', off_the_record: true });
      for (const one of Object.values(more)) expect(one).toMatchObject({ off_the_record: true });
    });
    expect(records.map(({ operation, target }) => [operation, target]).sort()).toEqual(
      ['commit_memory', 'commit_summary', 'memory_append_daily', 'memory_write'].map((tool) => [
        `mcp.${tool}`,
        'off-the-record',
      ]),
    );
    const path = '/v1/namespaces/team:blue';
    const plugin = (one: Call) => send(server().pluginUrl ?? '', one);
    await plugin({ method: 'PUT', path, body: { kind: 'team' } });
    const body = { content: `Blue likes ${marker}.`, kind: 'fact', source: 'agent' };
    const answer = await plugin({ method: 'POST', path: `${path}/memories`, body, headers: off });
    expect([answer.status, answer.body]).toEqual([200, { id: nilId, namespace: 'team:blue' }]);
  });

  it('leaves nothing in any table', async () => {
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('can be asked for in the body', async () => {
    const bodies = {
      '/v1/remember': { content: `${marker} one`, off_the_record: true },
      '/v1/memory/semantic': { content: `${marker} two`, off_the_record: true },
      '/v1/memory/episodic': { agent_id: 'a', role: 'user', content: `${marker} three`, off_the_record: true },
      '/v1/memory/procedural': { agent_id: 'a', procedure_type: 'skill', content: marker, off_the_record: true },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const { status, headers } = await call({ method: 'POST', path, body }, {});
      expect([path, status, headers.get('off-the-record')]).toEqual([path, 200, 'true']);
    }
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('refuses a header that says neither yes nor no', async () => {
    const { status, body } = await call(
      { method: 'POST', path: '/v1/remember', body: { content: 'x' } },
      { 'off-the-record': 'maybe' },
    );
    expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('changes nothing that exists, but can read and forget it', async () => {
    const { body } = await call({ method: 'POST', path: '/v1/remember', body: { content: 'About the boat.' } }, {});
    const path = `/v1/memories/${body.memory.id}`;
    const changed = await call({ method: 'PATCH', path, body: { content: marker }, headers: { 'if-match': '*' } });
    expect([changed.status, changed.body.memory.content]).toEqual([200, 'About the boat.']);
    expect(changed.headers.get('off-the-record')).toBe('true');
    const found = await call({ method: 'POST', path: '/v1/recall', body: { query: 'boat' } });
    expect([found.body.results.length, found.headers.get('off-the-record')]).toEqual([1, null]);
    const records = await recordsOf(database(), async () => {
      expect((await call({ method: 'DELETE', path })).status).toBe(204);
    });
    expect(records).toMatchObject([{ operation: 'memory.forget', target: `memory/note/${body.memory.id}` }]);
    expect((await call({ path })).status).toBe(404);
  });

  it('leaves a document as it is', async () => {
    const path = '/v1/tenants/t1/users/otto/documents/user/user_dynamic.json';
    const patch = (value: string, headers: Record<string, string>) =>
      call(
        {
          method: 'PATCH',
          path,
          headers: { 'if-match': '*', 'idempotency-key': value.replaceAll(' ', '-') },
          body: {
            ...{ profile_id: 'project-copilot-v1', binding_id: 'user_dynamic', reason: 'live_update' },
            ops: [{ op: 'add', path: '/content/preferences/-', value }],
          },
        },
        headers,
      );
    const { body: before } = await patch('Short answers.', {});
    const { body: after } = await patch('Long answers.', off);
    expect([after.etag, after.document.content]).toEqual([before.etag, before.document.content]);
    expect((await patch('Long answers.', {})).body.document.content.preferences).toContain('Long answers.');
  });
});

describeOneDatabase('a session off the record', (database) => {
  const server = useServer(database);
  const marker = newMarker();
  const session = 'chat:secret';
  let gateway: GatewayUser;
  let token: string;
  const call = (method: string, path: string, body?: unknown) =>
    server().call({ method, path, token, ...(body === undefined ? {} : { body }) });
  const isOff = async () => (await call('GET', `/v1/off-the-record/${session}`)).body.off_the_record;

  beforeAll(async () => {
    gateway = await GatewayUser.of(server(), { user: 'oda' });
    token = await server().token({ user: 'oda' });
  });

  it('is started, seen, and ended', async () => {
    expect(await isOff()).toBe(false);
    const started = await call('PUT', `/v1/off-the-record/${session}`);
    expect([started.status, started.body]).toEqual([
      200,
      { session_id: session, off_the_record: true, started_at: expect.any(String), until: null },
    ]);
    const until = '2999-01-01T00:00:00.000Z';
    const again = await call('PUT', `/v1/off-the-record/${session}`, { until });
    expect(again.body).toEqual({ ...started.body, until });
    await call('PUT', '/v1/off-the-record/another');
    const { body: first } = await call('GET', '/v1/off-the-record?limit=1');
    const { body: rest } = await call('GET', `/v1/off-the-record?limit=1&cursor=${first.next_cursor}`);
    expect([...first.sessions, ...rest.sessions].map((one) => one.session_id)).toEqual(['another', session]);
    for (const id of ['another', 'another', session]) {
      expect((await call('DELETE', `/v1/off-the-record/${id}`)).status).toBe(204);
    }
    expect((await call('GET', '/v1/off-the-record')).body).toEqual({ sessions: [] });
    const past = await call('PUT', `/v1/off-the-record/${session}`, { until: '2001-01-01T00:00:00Z' });
    expect([past.status, past.body.error.message]).toEqual([400, expect.stringContaining('in the future')]);
  });

  it('stores nothing that names it, through any surface, and leaves one record for each call', async () => {
    await call('PUT', `/v1/off-the-record/${session}`);
    const content = `We spoke about ${marker}.`;
    const writes: [string, string, object][] = [
      ['POST', '/v1/remember', { content, session_id: session }],
      ['POST', '/v1/memory/semantic', { content, session_id: session }],
      ['POST', '/v1/memory/episodic', { agent_id: 'a', role: 'user', content, session_id: session }],
      ['POST', '/v1/memory/plans', { plan_id: 'p', goal_event: marker, goal_data: {}, session_id: session }],
      ['POST', '/v1/memory/sessions', { session_id: session, name: marker }],
      ['PUT', '/v1/memory/working/p/k', { value: marker, session_id: session }],
      [
        'POST',
        `/v1/tenants/t1/users/oda/conversations/${session}/snapshots`,
        { profile_id: 'project-copilot-v1', messages: [{ id: '1', role: 'user', content }], replay: true },
      ],
    ];
    for (const [method, path, body] of writes) {
      const records = await recordsOf(database(), async () => {
        const { status, headers } = await call(method, path, body);
        const isState = /plans|sessions|working/.test(path);
        expect([path, isState ? status === 409 : headers.get('off-the-record') === 'true']).toEqual([path, true]);
      });
      expect([path, records]).toEqual([
        path,
        [expect.objectContaining({ ...unstored, target: `off-the-record/${session}` })],
      ]);
    }
    const chat = { ...gateway.identity, session_id: session };
    const message = { sender_id: 'oda', role: 'user', timestamp: 1_780_000_000_000, content };
    const added = await gateway.post('/memories/add', { ...chat, messages: [message] });
    const flushed = await gateway.post('/memories/flush', chat);
    expect([added.body.message_count, flushed.body.status]).toEqual([0, 'no_extraction']);
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('concerns only its user, and only what names it', async () => {
    const other = await server().token({ user: 'ole' });
    const body = { content: 'On the record.', session_id: session };
    const stored = await server().call({ method: 'POST', path: '/v1/remember', body, token: other });
    expect([stored.status, stored.headers.get('off-the-record')]).toEqual([201, null]);
    const seen = await server().call({ path: `/v1/off-the-record/${session}`, token: other });
    expect(seen.body.off_the_record).toBe(false);
    const memories = [{ content: 'First.' }, { content: `${marker}`, session_id: session }, { content: 'Third.' }];
    const mixed = await call('POST', '/v1/remember', { memories });
    expect([mixed.status, mixed.headers.get('off-the-record')]).toEqual([201, 'partly']);
    const ids = mixed.body.memories.map(({ id }: { id: string }) => id);
    expect([ids[0], ids[1] === nilId, ids[2]]).toEqual([expect.not.stringMatching(nilId), true, expect.any(String)]);
    expect(await findText(database(), marker)).toEqual([]);
  });

  it('is on the record again when its time is over or somebody ends it', async () => {
    await call('DELETE', `/v1/off-the-record/${session}`);
    const remember = async (content: string) => {
      const { status } = await call('POST', '/v1/remember', { content, session_id: session });
      return status;
    };
    expect(await remember('It is over.')).toBe(201);
    await call('PUT', `/v1/off-the-record/${session}`, { until: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await remember('It is not.')).toBe(200);
    await pastEverything(
      database(),
      `UPDATE memhall.unrecorded_sessions SET until = now() - interval '1 second' WHERE user_id = 'oda' RETURNING 1`,
    );
    expect([await isOff(), await remember('It is over again.')]).toEqual([false, 201]);
  });
});
