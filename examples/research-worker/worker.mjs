// The worker: a process that may be killed at any time. Its event bus is the channel to the process that started it.
import { MemoryClient, TaskContext } from '@memhall/client';

const memory = new MemoryClient({ baseUrl: process.argv[2] ?? '', token: process.argv[3] ?? '' });
const topics = ['models', 'hardware', 'regulation'];

/** @param {{ event: string } & Record<string, unknown>} message */
function publish(message) {
  process.send?.(message);
}

/** @param {{ taskId: string, planId: string, data: Record<string, unknown> }} request */
async function onResearchRequested({ taskId, planId, data }) {
  // A bus may deliver an event twice: a known task is already being handled.
  if ((await TaskContext.restore(memory, taskId)) !== null) return publish({ event: 'known', taskId });
  const task = new TaskContext(memory, {
    taskId,
    planId,
    data,
    eventType: 'research.requested',
    responseEvent: 'research.completed',
    state: { findings: {} },
  });
  await task.save();
  for (const topic of topics) {
    await task.delegate((subTaskId) => publish({ event: 'web.search.requested', subTaskId, topic }));
  }
  publish({ event: 'delegated', taskId });
}

/** @param {{ subTaskId: string, topic: string, text: string }} result */
async function onSearchCompleted({ subTaskId, topic, text }) {
  const task = await TaskContext.restoreBySubtask(memory, subTaskId);
  if (task === null) return publish({ event: 'ignored', subTaskId });
  await task.updateState(({ findings }) => ({ findings: { .../** @type {object} */ (findings), [topic]: text } }));
  // Exactly one worker sees the last sub-task finish, however many results arrive concurrently.
  const last = await task.finishSubTask(subTaskId);
  publish({ event: 'handled', subTaskId });
  if (!last) return;
  await task.refresh();
  await task.complete(task.state.findings, ({ event, ...response }) => publish({ event: event ?? '', ...response }));
}

process.on('message', (/** @type {any} */ message) => {
  if (message.event === 'research.requested') void onResearchRequested(message);
  if (message.event === 'web.search.completed') void onSearchCompleted(message);
});
publish({ event: 'ready' });
