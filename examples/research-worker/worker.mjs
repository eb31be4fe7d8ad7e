// The worker: a process that may be killed at any time. Its event bus is the channel to the process that started it. The
// bus delivers a message again until the worker has published `handled` for it.
import { MemoryClient, TaskContext } from '@memhall/client';

const [url = '', token = '', dies = ''] = process.argv.slice(2);
const memory = new MemoryClient({ baseUrl: url, token });
const topics = ['models', 'hardware', 'regulation'];
// Short, so that the example need not wait long for a dead worker's lease to expire.
const options = { leaseSeconds: 1 };

/** @param {{ event: string } & Record<string, unknown>} message */
function publish(message) {
  process.send?.(message);
}

/** @param {{ taskId: string, planId: string, data: Record<string, unknown> }} request */
async function onResearchRequested({ taskId, planId, data }) {
  // The same ids whenever the request is delivered, so that only unanswered searches are sent again.
  const searches = topics.map((topic) => ({ topic, id: `${taskId}:${topic}` }));
  const send = (/** @type {string} */ subTaskId, /** @type {{ topic: string }} */ { topic }) =>
    publish({ event: 'web.search.requested', subTaskId, topic });
  const responseEvent = 'research.completed';
  const fields = { taskId, planId, data, eventType: 'research.requested', responseEvent, state: { findings: {} } };
  const task = await TaskContext.begin(memory, fields, options);
  if (dies === 'before delegating') process.kill(process.pid, 'SIGKILL');
  if (task?.step === 'delegate') await task.delegateAll(searches, send, ({ id }) => id);
  else if (task?.step === 'wait') await task.resendAll(searches, send, ({ id }) => id);
  else if (task?.step === 'complete') await complete(task);
}

/** @param {{ subTaskId: string, topic: string, text: string }} result */
async function onSearchCompleted({ subTaskId, topic, text }) {
  const task = await TaskContext.restoreBySubtask(memory, subTaskId, options);
  if (task === null) return;
  await task.updateState(({ findings }) => ({ findings: { .../** @type {object} */ (findings), [topic]: text } }));
  // Exactly one worker sees the last sub-task finish, however many results arrive concurrently.
  if (await task.finishSubTask(subTaskId)) await complete(task);
}

/** @param {TaskContext} task */
async function complete(task) {
  if (dies === 'before completing') process.kill(process.pid, 'SIGKILL');
  await task.refresh();
  await task.complete(task.state.findings, ({ event, ...response }) => publish({ event: event ?? '', ...response }));
}

process.on('message', async (/** @type {any} */ { id, ...message }) => {
  try {
    if (message.event === 'research.requested') await onResearchRequested(message);
    if (message.event === 'web.search.completed') await onSearchCompleted(message);
    publish({ event: 'handled', id });
  } catch (error) {
    // Another worker has the lease of the task, and may be dead: the message goes back to the queue.
    const code = error instanceof Error && 'code' in error ? error.code : String(error);
    publish({ event: 'failed', id, code });
  }
});
publish({ event: 'ready' });
