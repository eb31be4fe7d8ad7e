// A planner gives a task to a worker. The worker delegates three searches and is killed after the first result. Another
// worker continues where it stopped, because all important state is in Memhall and none in variables.
//
//   npm start                       # in one terminal; prints a token
//   TOKEN=… node examples/research-worker/main.mjs
//
// Without a token it starts its own server, so that it can check itself.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryClient, PlanContext } from '@memhall/client';
import { startOwnServer } from '../support/own-server.mjs';

const program = fileURLToPath(new URL('worker.mjs', import.meta.url));
const run = Date.now();
const [sessionId, planId, taskId] = [`chat-${run}`, `plan-${run}`, `task-${run}`];

/** Starts a worker process and waits until it is ready. @param {string} url @param {string} token */
async function startWorker(url, token) {
  const child = fork(program, [url, token]);
  const published = new EventEmitter();
  child.on('message', (/** @type {any} */ message) => published.emit(message.event, message));
  await once(published, 'ready');
  const send = (/** @type {object} */ message) => child.send(message);
  return { child, published, send };
}

/**
 * Waits until an event has occurred `times` times.
 * @param {EventEmitter} published @param {string} event @param {number} times
 * @returns {Promise<{ subTaskId: string, topic: string }[]>}
 */
function collect(published, event, times) {
  /** @type {{ subTaskId: string, topic: string }[]} */
  const messages = [];
  return new Promise((done) => {
    published.on(event, (message) => {
      messages.push(message);
      if (messages.length === times) done(messages);
    });
  });
}

const own =
  process.env.TOKEN === undefined ? await startOwnServer(mkdtempSync(join(tmpdir(), 'memhall-example-'))) : undefined;
const baseUrl = own?.url ?? process.env.MEMHALL_URL ?? 'http://127.0.0.1:8010';
const token = own?.token ?? process.env.TOKEN ?? '';
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
try {
  const memory = new MemoryClient({ baseUrl, token });

  console.log('The planner creates a plan and requests research.');
  await memory.createSession({ session_id: sessionId, agent_id: 'research-advisor' });
  const goal = { planId, sessionId, goalEvent: 'research.goal', goalData: { topic: 'AI trends' } };
  const plan = new PlanContext(memory, { ...goal, currentState: 'planning' });
  await plan.save();
  await memory.setPlanState(planId, 'notes', ['asked for research']);
  await plan.transition('researching', { waitFor: [taskId] });
  const request = { event: 'research.requested', taskId, planId, data: { topic: 'AI trends' } };

  console.log('The first worker delegates three searches, handles one result, and is killed.');
  const first = await startWorker(baseUrl, token);
  children.push(first.child);
  const searches = collect(first.published, 'web.search.requested', 3);
  const delegated = once(first.published, 'delegated');
  first.send(request);
  await delegated;
  const results = (await searches).map(({ subTaskId, topic }) => ({
    event: 'web.search.completed',
    subTaskId,
    topic,
    text: `news about ${topic}`,
  }));
  const handled = once(first.published, 'handled');
  first.send(results[0] ?? {});
  await handled;
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const left = await memory.getTaskContext(taskId);
  assert.deepEqual(
    left?.sub_tasks,
    results.slice(1).map(({ subTaskId }) => subTaskId),
  );

  console.log('A second worker finds the task by its sub-tasks and completes it.');
  const second = await startWorker(baseUrl, token);
  children.push(second.child);
  const known = once(second.published, 'known');
  second.send(request);
  await known;
  const completed = once(second.published, 'research.completed');
  const ignored = once(second.published, 'ignored');
  for (const result of results) second.send(result);
  const [response] = await completed;
  assert.deepEqual(response.result, {
    models: 'news about models',
    hardware: 'news about hardware',
    regulation: 'news about regulation',
  });
  assert.equal((await ignored)[0].subTaskId, results[0]?.subTaskId, 'the result that was handled before the crash');

  console.log('The planner is restored by the event it waited for, and completes its plan.');
  const restored = await PlanContext.restoreByCorrelation(memory, response.taskId);
  assert.equal(restored?.currentState, 'researching');
  assert.deepEqual(restored.goalData, { topic: 'AI trends' });
  restored.state.findings = response.result;
  await restored.complete();
  await assert.rejects(restored.resume(), { code: 'INVALID_TRANSITION' });
  assert.deepEqual(
    (await memory.getSession(sessionId))?.plans.map(({ status }) => status),
    ['completed'],
  );

  // The response is published before the task is deleted, so the deletion may take another moment.
  for (let tries = 0; tries < 100 && (await memory.getTaskContext(taskId)) !== null; tries++) {
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.equal(await memory.getTaskContext(taskId), null);
  await restored.delete();
  assert.equal((await memory.listPlanState(planId)).count, 0, 'working memory is deleted with its plan');
  assert.equal(await memory.deleteSession(sessionId), true);
  console.log('Done and cleaned up.');
} finally {
  for (const child of children) child.kill('SIGKILL');
  await own?.stop();
  if (own !== undefined) rmSync(own.dataDirectory, { recursive: true });
}
