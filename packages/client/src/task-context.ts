import type { SubTasksChanged, TaskContextEntry } from './generated/operations.js';
import { hasCode } from './memhall-error.js';
import type { StateClient } from './state-client.js';
import { defaultLeaseSeconds, StoredTask } from './stored-task.js';
import type { SubTaskChange } from './task-client.js';
import type { TaskFields, TaskOptions, TaskResponse, TaskStep } from './task-fields.js';

/**
 * A task that outlives its worker. The worker delegates sub-tasks and may exit. When the result of a sub-task arrives,
 * the task is restored by the id of that sub-task.
 *
 * Between these steps, one worker at a time has the lease of the task. If it dies, the message that it was handling is
 * delivered again, and its receiver takes the lease over once it has expired. Until then the receiver gets LEASE_HELD:
 * it must return the message to the queue.
 *
 * @example
 * const searches = ['models', 'hardware'].map((topic) => ({ topic, id: `task-1:${topic}` }));
 * const send = (subTaskId: string, { topic }: { topic: string }) => bus.publish('search.requested', { subTaskId, topic });
 * // when the request arrives, for the first time or again:
 * const task = await TaskContext.begin(memory, { taskId: 'task-1', eventType: 'research.requested' });
 * if (task?.step === 'delegate') await task.delegateAll(searches, send, ({ id }) => id);
 * if (task?.step === 'wait') await task.resendAll(searches, send, ({ id }) => id);
 * // later, perhaps in another process, when a result arrives:
 * const found = await TaskContext.restoreBySubtask(memory, result.subTaskId);
 * if (await found?.finishSubTask(result.subTaskId)) await found.complete(result, (response) => bus.publish(response));
 */
export class TaskContext extends StoredTask {
  /**
   * Stores a requested task, or restores it if the request has been delivered before. `step` says what is left to do. If
   * a worker died before it could delegate or complete the task, this one takes over. Rejects with LEASE_HELD while that
   * is not certain. Returns null if the task has been completed within the last 24 hours: drop the request.
   */
  static async begin(memory: StateClient, fields: TaskFields, options: TaskOptions = {}): Promise<TaskContext | null> {
    const task = new TaskContext(memory, fields, options);
    try {
      await task.save();
      return task;
    } catch (error) {
      if (!hasCode(error, 'ETAG_MISMATCH')) throw error;
    }
    const known = await TaskContext.restore(memory, fields.taskId, options);
    if (known === null || known.awaited.length > 0) return known;
    try {
      await known.takeLease();
      return known;
    } catch (error) {
      if (hasCode(error, 'NOT_FOUND')) return null;
      if (!hasCode(error, 'CONFLICT')) throw error;
      return TaskContext.restore(memory, fields.taskId, options);
    }
  }

  /** Returns null if there is no such task. */
  static async restore(memory: StateClient, taskId: string, options: TaskOptions = {}): Promise<TaskContext | null> {
    return TaskContext.#from(memory, await memory.getTaskContext(taskId, options), options);
  }

  /** Returns null if no task is waiting for this sub-task. */
  static async restoreBySubtask(
    memory: StateClient,
    subTaskId: string,
    options: TaskOptions = {},
  ): Promise<TaskContext | null> {
    return TaskContext.#from(memory, await memory.getTaskBySubtask(subTaskId, options), options);
  }

  static #from(
    memory: StateClient,
    entry: (TaskContextEntry & { etag: string }) | null,
    options: TaskOptions,
  ): TaskContext | null {
    if (entry === null) return null;
    const task = new TaskContext(memory, { taskId: entry.task_id, eventType: entry.event_type }, options);
    task.take(entry);
    return task;
  }

  /** What this worker has to do next. */
  get step(): TaskStep {
    return this.lease?.next ?? 'wait';
  }

  /**
   * Takes the lease of a task that waits for no sub-task, or renews it. Rejects with LEASE_HELD if another worker has it,
   * and with LEASE_LOST if another worker has taken it from this one.
   */
  async takeLease(): Promise<void> {
    this.lease = await this.memory.takeTaskLease(this.taskId, { ...this.options, ...this.#held() });
  }

  /** Gives the lease back, so that another worker can take over at once. Does nothing without a lease. */
  async release(): Promise<void> {
    if (this.lease === undefined) return;
    await this.memory.releaseTaskLease(this.taskId, this.lease.lease_id, this.options);
    this.lease = undefined;
  }

  /**
   * Delegates a sub-task and returns its id. The sub-task is added to the list before `send` is called, so that its
   * result always finds the task. If `send` fails, the sub-task is removed again. For several sub-tasks use
   * `delegateAll`: a task is complete as soon as its list is empty.
   */
  async delegate(send: (subTaskId: string) => unknown, subTaskId: string = crypto.randomUUID()): Promise<string> {
    await this.saveIfNew();
    await this.#addSubTasks([subTaskId]);
    try {
      await send(subTaskId);
    } catch (error) {
      await this.#changeSubTasks({ remove: [subTaskId] });
      throw error;
    }
    return subTaskId;
  }

  /**
   * Delegates several sub-tasks and returns their ids. All are added to the list before the first is sent, so the task
   * cannot be complete before the last result. If `send` fails, they stay in the list: let the request be delivered
   * again, and call `resendAll`. That takes ids that are the same each time.
   */
  async delegateAll<T>(
    parts: readonly T[],
    send: (subTaskId: string, part: T) => unknown,
    idOf: (part: T, index: number) => string = () => crypto.randomUUID(),
  ): Promise<string[]> {
    await this.saveIfNew();
    const ids = parts.map(idOf);
    if (ids.length > 0) await this.#addSubTasks(ids);
    for (const [index, part] of parts.entries()) await send(ids[index] as string, part);
    return ids;
  }

  /** Sends those sub-tasks again that the task still waits for, and returns their ids. */
  async resendAll<T>(
    parts: readonly T[],
    send: (subTaskId: string, part: T) => unknown,
    idOf: (part: T, index: number) => string,
  ): Promise<string[]> {
    const open = parts.map((part, index) => ({ id: idOf(part, index), part })).filter(({ id }) => this.#isAwaited(id));
    for (const { id, part } of open) await send(id, part);
    return open.map(({ id }) => id);
  }

  /**
   * Removes a sub-task from the list. Returns true if it was the last one: this worker then has the lease of the task and
   * completes it. Exactly one worker gets true. If that worker dies, the next one that handles the same result gets true
   * when the lease has expired; until then this rejects with LEASE_HELD. Store what the result says before this call.
   */
  async finishSubTask(subTaskId: string): Promise<boolean> {
    const lease_seconds = this.options.leaseSeconds ?? defaultLeaseSeconds;
    try {
      return (await this.#changeSubTasks({ remove: [subTaskId], lease_seconds })).lease !== undefined;
    } catch (error) {
      if (hasCode(error, 'NOT_FOUND')) return false;
      throw error;
    }
  }

  /**
   * Sends the response, then deletes the task. Rejects with LEASE_LOST or NOT_FOUND, without sending, if another worker
   * has taken over. If the worker dies while it sends, or sending takes longer than the lease, the response may be sent
   * again: it has the same `taskId`.
   */
  async complete<T>(result: T, send: (response: TaskResponse<T>) => unknown): Promise<void> {
    const { responseEvent, responseTopic } = this.fields;
    if (this.lease !== undefined) await this.takeLease();
    try {
      await send({
        taskId: this.taskId,
        event: responseEvent ?? null,
        topic: responseTopic ?? 'action-results',
        result,
      });
    } catch (error) {
      await this.release().catch(() => undefined);
      throw error;
    }
    await this.memory.deleteTaskContext(this.taskId, { ...this.options, ...this.#held() });
    this.forget();
  }

  #held(): { leaseId?: string } {
    return this.lease === undefined ? {} : { leaseId: this.lease.lease_id };
  }

  #isAwaited(subTaskId: string): boolean {
    return this.awaited.includes(subTaskId);
  }

  /** Ends the lease: from now on the task waits. */
  async #addSubTasks(add: string[]): Promise<void> {
    const held = this.lease === undefined ? {} : { lease_id: this.lease.lease_id };
    await this.#changeSubTasks({ add, ...held });
  }

  async #changeSubTasks(change: SubTaskChange): Promise<SubTasksChanged> {
    const changed = await this.memory.changeSubTasks(this.taskId, change, this.options);
    this.awaited = changed.sub_tasks;
    this.lease = changed.lease;
    return changed;
  }
}
