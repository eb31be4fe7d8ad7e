// A planner gives a task to a worker. The first worker is killed before it has delegated anything, the second one after
// it has handled the last result and before it has responded. The third completes the task, once, because all important
// state is in Memhall and none in variables.
//
//   npm start                       # in one terminal; prints a token
//   TOKEN=… node examples/research-worker/main.mjs
//
// Without a token it starts its own server, so that it can check itself.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient, PlanContext } from '@memhall/client';
import { startOwnServer } from '../support/own-server.mjs';
import { Bus } from './bus.mjs';

const run = Date.now();
const [sessionId, planId, taskId] = [`chat-${run}`, `plan-${run}`, `task-${run}`];
const bus = new Bus();
const own =
  process.env.TOKEN === undefined ? await startOwnServer(mkdtempSync(join(tmpdir(), 'memhall-example-'))) : undefined;
const baseUrl = own?.url ?? process.env.MEMHALL_URL ?? 'http://127.0.0.1:8010';
const token = own?.token ?? process.env.TOKEN ?? '';
try {
  const memory = new MemoryClient({ baseUrl, token });

  console.log('The planner creates a plan and requests research.');
  await memory.createSession({ session_id: sessionId, agent_id: 'research-advisor' });
  const goal = { planId, sessionId, goalEvent: 'research.goal', goalData: { topic: 'AI trends' } };
  const plan = new PlanContext(memory, { ...goal, currentState: 'planning' });
  await plan.save();
  await memory.setPlanState(planId, 'notes', ['asked for research']);
  await plan.transition('researching', { waitFor: [taskId] });
  bus.publish({ event: 'research.requested', taskId, planId, data: { topic: 'AI trends' } });

  console.log('The first worker stores the task and is killed.');
  assert.equal(await bus.runWorker(baseUrl, token, 'before delegating'), 'SIGKILL');
  const { task_contexts: stored } = await memory.listTaskContexts({ planId });
  assert.deepEqual(
    stored.map(({ task_id, sub_tasks }) => [task_id, sub_tasks]),
    [[taskId, []]],
  );

  console.log('The second worker delegates three searches, gets all results at once, and is killed.');
  assert.equal(await bus.runWorker(baseUrl, token, 'before completing'), 'SIGKILL');
  assert.deepEqual((await memory.getTaskContext(taskId))?.sub_tasks, [], 'every result was handled');
  assert.equal(bus.published.length, 0);

  console.log('The third worker gets the last result again, and completes the task.');
  const third = bus.runWorker(baseUrl, token);
  await bus.settled();
  bus.stopWorker();
  await third;
  const [response, ...others] = bus.published;
  assert.deepEqual(others, [], 'the task was completed once');
  assert.deepEqual(response?.result, {
    models: 'news about models',
    hardware: 'news about hardware',
    regulation: 'news about regulation',
  });
  assert.equal(await memory.getTaskContext(taskId), null);

  console.log('The planner is restored by the event it waited for, and completes its plan.');
  const restored = await PlanContext.restoreByCorrelation(memory, response.taskId);
  assert.equal(restored?.currentState, 'researching');
  assert.deepEqual(restored.goalData, { topic: 'AI trends' });
  const change = (/** @type {{ state: object }} */ { state }) => ({
    state: { ...state, findings: response.result },
    status: /** @type {const} */ ('completed'),
  });
  assert.equal(await restored.receive(response.taskId, change), true);
  assert.equal(await plan.receive(response.taskId, change), false, 'a response that is delivered again is ignored');
  await assert.rejects(restored.resume(), { code: 'INVALID_TRANSITION' });
  assert.deepEqual(
    (await memory.getSession(sessionId))?.plans.map(({ status }) => status),
    ['completed'],
  );

  await restored.delete();
  assert.equal((await memory.listPlanState(planId)).count, 0, 'working memory is deleted with its plan');
  assert.equal(await memory.deleteSession(sessionId), true);
  console.log('Done and cleaned up.');
} finally {
  bus.stopWorker();
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
