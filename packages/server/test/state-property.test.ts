import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOneDatabase } from './support/databases.js';
import { type Call, useServer } from './support/server.js';

const root = '/v1/memory';
const id = fc.constantFrom('a', 'b', 'u1', 'by-subtask');
const ids = fc.array(id, { maxLength: 3 });
const state = fc.dictionary(fc.constantFrom('x', 'y'), fc.integer(), { maxKeys: 2 });
const status = fc.constantFrom('running', 'paused', 'completed', 'failed', 'cancelled');

function call(method: string, path: string, body?: unknown): Call {
  return { method, path: `${root}${path}`, ...(body === undefined ? {} : { body }) };
}

/** Any call that may change something, valid or not, with ids that both users have. */
const anyChange: fc.Arbitrary<Call> = fc.oneof(
  fc
    .record({ task_id: id, event_type: id, plan_id: id, sub_tasks: ids, state })
    .map((body) => call('POST', '/task-context', body)),
  fc
    .tuple(id, ids, state)
    .map(([task, sub_tasks, to]) => call('PUT', `/task-context/${task}`, { sub_tasks, state: to })),
  fc.tuple(id, ids, ids).map(([task, add, remove]) => call('POST', `/task-context/${task}/sub-tasks`, { add, remove })),
  fc
    .tuple(id, ids)
    .map(([task, remove]) => call('POST', `/task-context/${task}/sub-tasks`, { remove, lease_seconds: 5 })),
  id.map((task) => call('POST', `/task-context/${task}/lease`, {})),
  id.map((task) => call('DELETE', `/task-context/${task}`)),
  fc
    .record({ plan_id: id, goal_event: id, status, state, correlation_ids: ids, session_id: id, parent_plan_id: id })
    .map((body) => call('POST', '/plans', body)),
  fc
    .tuple(id, status, ids)
    .map(([plan, to, correlation_ids]) => call('PUT', `/plans/${plan}`, { status: to, correlation_ids })),
  fc.tuple(id, ids, ids).map(([plan, add, remove]) => call('POST', `/plans/${plan}/correlations`, { add, remove })),
  id.map((plan) => call('DELETE', `/plans/${plan}`)),
  fc.tuple(id, state).map(([session_id, metadata]) => call('POST', '/sessions', { session_id, metadata })),
  fc.tuple(id, state).map(([session, metadata]) => call('PUT', `/sessions/${session}`, { metadata })),
  id.map((session) => call('PUT', `/sessions/${session}`)),
  id.map((session) => call('DELETE', `/sessions/${session}`)),
  fc.tuple(id, id, state).map(([plan, key, value]) => call('PUT', `/working/${plan}/${key}`, { value })),
  id.map((plan) => call('DELETE', `/working/${plan}`)),
);

const reads = [
  ...['a', 'b', 'u1', 'by-subtask'].flatMap((name) => [
    `/task-context/${name}`,
    `/task-context/by-subtask/${name}`,
    `/task-context?plan_id=${name}`,
    `/plans/${name}`,
    `/plans/by-correlation/${name}`,
    `/plans?session_id=${name}`,
    `/sessions/${name}`,
    `/working/${name}`,
  ]),
  '/task-context',
  '/plans',
  '/plans?status=active',
  '/sessions',
];

describeOneDatabase('isolation of agent state', (database) => {
  const server = useServer(database);

  async function everythingOf(token: string): Promise<unknown[]> {
    const answers = await Promise.all(reads.map((path) => server().call({ path: `${root}${path}`, token })));
    return answers.map(({ status, headers, body }) => {
      // Only the request id differs in every response.
      const { error, ...rest } = body;
      return { status, etag: headers.get('etag'), rest, code: error?.code };
    });
  }

  it('does not change anything another user, or the same user in another tenant, can read', async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyChange, { minLength: 1, maxLength: 10 }),
        fc.array(anyChange, { minLength: 1, maxLength: 12 }),
        async (theirs, mine) => {
          round += 1;
          const me = await server().token({ tenant: `t${round}`, user: 'u1' });
          const others = await Promise.all([
            server().token({ tenant: `t${round}`, user: 'u10' }),
            server().token({ tenant: `t${round}0`, user: 'u1' }),
          ]);
          for (const token of others) for (const change of theirs) await server().call({ ...change, token });
          const before = await Promise.all(others.map(everythingOf));
          for (const change of mine) {
            const { status } = await server().call({ ...change, token: me });
            expect(status).toBeLessThan(500);
          }
          expect(await Promise.all(others.map(everythingOf))).toEqual(before);
        },
      ),
      { numRuns: 15 },
    );
  });
});
