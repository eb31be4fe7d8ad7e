import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { type Call, useServer } from './support/server.js';

describeOneDatabase('deleting the interactions of a session', (database) => {
  const server = useServer(database);
  const turn = (content: string, rest: object = {}) => ({
    agent_id: 'guide',
    role: 'user',
    content,
    session_id: 's1',
    ...rest,
  });

  async function newUser(user: string) {
    const token = await server().token({ user });
    return (rest: Call) => server().call({ token, ...rest, path: `/v1/memory/${rest.path}` });
  }

  it('deletes those of the agent, the session and the user, and records each', async () => {
    const [ann, bob] = [await newUser('ann'), await newUser('bob')];
    const { session_id: _, ...alone } = turn('museum, no session');
    const kept = [turn('museum, another session', { session_id: 's10' }), alone];
    const entries = [
      ...Array.from({ length: 498 }, (_, n) => turn(`museum ${n}`)),
      turn('museum, another agent', { agent_id: 'guide2' }),
    ];
    await ann({ method: 'POST', path: 'episodic', body: { entries } });
    await ann({
      method: 'POST',
      path: 'episodic',
      body: { entries: [turn('museum 498'), turn('museum 499'), ...kept] },
    });
    await ann({ method: 'POST', path: 'episodic', body: turn('museum 500') });
    await bob({ method: 'POST', path: 'episodic', body: turn('museum of Bob') });

    const { status, body } = await ann({ method: 'DELETE', path: 'episodic?agent_id=guide&session_id=s1' });
    expect([status, body]).toEqual([200, { deleted_count: 501, session_id: 's1' }]);
    const texts = async (call: typeof ann, path: string) =>
      (await call({ path })).body.entries.map((entry: { content: string }) => entry.content).sort();
    const others = ['museum, another session', 'museum, no session'];
    expect(await texts(ann, 'episodic/recent?agent_id=guide&limit=100')).toEqual(others);
    expect(await texts(ann, 'episodic/search?agent_id=guide&q=museum&limit=50')).toEqual(others);
    expect(await texts(ann, 'episodic/recent?agent_id=guide2')).toEqual(['museum, another agent']);
    expect(await texts(bob, 'episodic/recent?agent_id=guide')).toEqual(['museum of Bob']);
    const again = await ann({ method: 'DELETE', path: 'episodic?agent_id=guide&session_id=s1' });
    expect(again.body.deleted_count).toBe(0);

    const token = await server().token({ user: 'boss', roles: ['admin'] });
    const audit = await server().call({ token, path: '/v1/tenants/t1/users/ann/audit?limit=100' });
    const records = audit.body.records.filter(
      (one: { operation: string }) => one.operation === 'episodic.forgetSession',
    );
    expect(records).toHaveLength(100);
  });

  it('works on behalf of a user with a service token, and for nobody else', async () => {
    const bob = await newUser('bob2');
    await bob({ method: 'POST', path: 'episodic', body: turn('museum') });
    const path = 'episodic?agent_id=guide&session_id=s1&user_id=bob2';
    expect((await (await newUser('eve'))({ method: 'DELETE', path })).status).toBe(403);
    const token = await server().token({ user: 'robot', roles: ['service'] });
    const { body } = await server().call({ token, method: 'DELETE', path: `/v1/memory/${path}` });
    expect(body.deleted_count).toBe(1);
  });

  it.each([
    '',
    '?agent_id=guide',
    '?session_id=s1',
    '?agent_id=guide&session_id=s%001',
    '?agent_id=a&session_id=s&x=1',
  ])('rejects a request without both ids or with others: %s', async (query) => {
    const { status } = await (await newUser('ann'))({ method: 'DELETE', path: `episodic${query}` });
    expect(status).toBe(400);
  });
});
