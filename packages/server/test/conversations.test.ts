import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { expectProblem } from './support/expect-problem.js';
import { GatewayUser } from './support/gateway-user.js';
import { useServer } from './support/server.js';

const profile = { profile_id: 'project-copilot-v1' };
let users = 0;

describeOneDatabase('what was made from a conversation', (database) => {
  const server = useServer(database, { jobs: 'true' });

  async function newUser() {
    const user = `talker-${++users}`;
    const token = await server().token({ user });
    const call = (method: string, rest: string, body?: object, as = token) =>
      server().call({ method, path: `/v1/tenants/t1/users/${user}/${rest}`, token: as, ...(body && { body }) });
    const finish = async (replayId: string) => {
      for (;;) {
        const { body } = await call('GET', `replays/${replayId}`);
        if (body.status === 'completed' || body.status === 'failed') return body;
        await sleep(50);
      }
    };
    const snapshot = async (conversation: string, messages: readonly object[]) => {
      const { body } = await call('POST', `conversations/${conversation}/snapshots`, { ...profile, messages });
      return { snapshotId: body.snapshot_id as string, replay: await finish(body.replay_id) };
    };
    return { user, token, call, finish, snapshot };
  }

  const messages = [
    { id: 'm1', role: 'user', content: 'My name is Dana and I live in Lisbon.', timestamp: '2026-03-02T10:00:00Z' },
    { id: 'm2', role: 'assistant', content: 'Noted.', timestamp: '2026-03-02T10:00:05Z' },
    { id: 'm3', role: 'user', content: 'I prefer short answers.', timestamp: '2026-03-02T10:01:00Z' },
  ];

  it('names the messages that each version of a document is based on', async () => {
    const { call, snapshot } = await newUser();
    await snapshot('c1', messages);
    const { status, body } = await call('GET', 'conversations/c1');
    expect(status).toBe(200);
    expect(body.replays).toHaveLength(1);
    expect(body.digests[0].message_ids).toContain('m1');
    const preference = body.patches.find(({ ops }: { ops: object[] }) => JSON.stringify(ops).includes('short answers'));
    expect(preference).toMatchObject({ namespace: 'user', path: 'user_dynamic.json', message_ids: ['m3'] });
    const facts = body.facts.map(({ attribute, value }: { attribute: string; value: string }) => [attribute, value]);
    expect(facts).toContainEqual(['lives in', 'Lisbon']);
    expect((await call('GET', 'conversations/other')).body).toMatchObject({ replays: [], facts: [], patches: [] });
  });

  it('names the turns of a chat that each fact is based on', async () => {
    const person = await GatewayUser.of(server());
    await person.add('chat-1', [
      { role: 'user', content: 'My sister Ann works at Equinor.' },
      { role: 'user', content: 'I live in Oslo.' },
    ]);
    await person.post('/memories/flush', { session_id: 'chat:chat-1' });
    const token = await server().token({ tenant: person.tenant, user: person.user });
    const path = `/v1/tenants/${person.tenant}/users/${person.user}/conversations`;
    const listed = await server().call({ path, token });
    expect(listed.body.conversations).toMatchObject([{ conversation_id: 'chat:chat-1', turns: 2, snapshots: 0 }]);
    const { body } = await server().call({ path: `${path}/chat:chat-1`, token });
    const { memories } = (await server().call({ path: '/v1/memories?session_id=chat:chat-1&kind=episodic', token }))
      .body;
    const oslo = memories.find(({ content }: { content: string }) => content.includes('Oslo'));
    const fact = body.facts.find(({ value }: { value: string }) => value === 'Oslo');
    expect(fact.message_ids).toEqual([oslo.id]);
    expect(body.digests).toHaveLength(1);
  });

  it('lists conversations in pages, the latest first', async () => {
    const { call, snapshot, token } = await newUser();
    for (const [session, at] of [
      ['s1', '2026-01-01T10:00:00Z'],
      ['s2', '2026-01-03T10:00:00Z'],
      ['s3', '2026-01-02T10:00:00Z'],
    ]) {
      const body = { content: `Said in ${session}.`, session_id: session, occurred_at: at };
      await server().call({ method: 'POST', path: '/v1/remember', body, token });
    }
    await snapshot('s1', messages);
    const first = (await call('GET', 'conversations?limit=2')).body;
    expect(first.conversations).toMatchObject([
      { conversation_id: 's1', turns: 1, snapshots: 1, first_at: '2026-01-01T10:00:00.000Z' },
      { conversation_id: 's2', turns: 1, snapshots: 0 },
    ]);
    const rest = (await call('GET', `conversations?limit=2&cursor=${first.next_cursor}`)).body;
    expect(rest.conversations).toMatchObject([{ conversation_id: 's3' }]);
    expect(rest.next_cursor).toBeUndefined();
    expectProblem(await call('GET', 'conversations?cursor=bad'), 'INVALID_REQUEST');
  });

  it('is extracted once more on request, and added only once', async () => {
    const { call, finish, snapshot } = await newUser();
    const { snapshotId } = await snapshot('c1', messages);
    const before = (await call('GET', 'documents/user/user_dynamic.json')).body.document.content;
    const again = await call('POST', `conversations/c1/snapshots/${snapshotId}:replay`, profile);
    expect(again.status).toBe(202);
    expect(await finish(again.body.replay_id)).toMatchObject({ status: 'completed', snapshot_id: snapshotId });
    const { body } = await call('GET', 'conversations/c1');
    expect(body.replays).toHaveLength(2);
    const after = (await call('GET', 'documents/user/user_dynamic.json')).body.document.content;
    expect(after.preferences).toEqual(before.preferences);
    expect(after.durable_facts).toHaveLength(before.durable_facts.length);
    expectProblem(await call('POST', 'conversations/c1/snapshots/snp_none:replay', profile), 'NOT_FOUND');
    const unknown = { profile_id: 'none' };
    const path = `conversations/c1/snapshots/${snapshotId}:replay`;
    expectProblem(await call('POST', path, unknown), 'PROFILE_NOT_FOUND');
  });

  it('is seen by nobody else', async () => {
    const { call, snapshot } = await newUser();
    const { snapshotId } = await snapshot('c1', messages);
    const other = await server().token({ user: 'stranger' });
    for (const path of ['conversations', 'conversations/c1']) {
      expectProblem(await call('GET', path, undefined, other), 'FORBIDDEN');
    }
    const path = `conversations/c1/snapshots/${snapshotId}:replay`;
    expectProblem(await call('POST', path, profile, other), 'FORBIDDEN');
  });
});
