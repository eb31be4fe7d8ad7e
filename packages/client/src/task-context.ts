import type { UserOptions } from './client-area.js';
import type { TaskContextEntry } from './generated/operations.js';
import { MemhallError } from './memhall-error.js';
import type { StateClient } from './state-client.js';

/** The task requested from a worker. */
export interface TaskFields {
  taskId: string;
  eventType: string;
  planId?: string;
  responseEvent?: string;
  responseTopic?: string;
  data?: Record<string, unknown>;
  state?: Record<string, unknown>;
}

/** The response of a finished task. */
export interface TaskResponse<T> {
  taskId: string;
  event: string | null;
  topic: string;
  result: T;
}

/** A change that keeps losing to concurrent changes by other workers fails after this many attempts. */
const maxTries = 100;

/**
 * A task that outlives its worker. The worker delegates sub-tasks and may exit. When the result of a sub-task arrives,
 * the task is restored by the id of that sub-task.
 *
 * @example
 * const task = new TaskContext(memory, { taskId: 'task-1', eventType: 'research.requested' });
 * await task.save();
 * await task.delegate((subTaskId) => bus.publish('web.search.requested', { subTaskId }));
 * // later, perhaps in another process, when a result arrives:
 * const found = await TaskContext.restoreBySubtask(memory, result.subTaskId);
 * if (await found?.finishSubTask(result.subTaskId)) await found.complete(result, (response) => bus.publish(response));
 */
export class TaskContext {
  /** State of the worker. `save` stores it. */
  state: Record<string, unknown>;
  readonly #memory: StateClient;
  readonly #options: UserOptions;
  #fields: TaskFields;
  #subTasks: readonly string[] = [];
  /** The state as last read or stored, as JSON. */
  #stored = '{}';
  /** Undefined if the task is not stored yet. */
  #etag: string | undefined;

  constructor(memory: StateClient, fields: TaskFields, options: UserOptions = {}) {
    this.#memory = memory;
    this.#fields = fields;
    this.#options = options;
    this.state = fields.state ?? {};
  }

  /** Returns null if there is no such task. */
  static async restore(memory: StateClient, taskId: string, options: UserOptions = {}): Promise<TaskContext | null> {
    return TaskContext.#from(memory, await memory.getTaskContext(taskId, options), options);
  }

  /** Returns null if no task is waiting for this sub-task. */
  static async restoreBySubtask(
    memory: StateClient,
    subTaskId: string,
    options: UserOptions = {},
  ): Promise<TaskContext | null> {
    return TaskContext.#from(memory, await memory.getTaskBySubtask(subTaskId, options), options);
  }

  static #from(
    memory: StateClient,
    entry: (TaskContextEntry & { etag: string }) | null,
    options: UserOptions,
  ): TaskContext | null {
    if (entry === null) return null;
    const task = new TaskContext(memory, { taskId: entry.task_id, eventType: entry.event_type }, options);
    task.#take(entry);
    return task;
  }

  get taskId(): string {
    return this.#fields.taskId;
  }

  get planId(): string | null {
    return this.#fields.planId ?? null;
  }

  get eventType(): string {
    return this.#fields.eventType;
  }

  /** The original request. */
  get data(): Record<string, unknown> {
    return this.#fields.data ?? {};
  }

  /** As last read or changed by this object. */
  get subTasks(): readonly string[] {
    return this.#subTasks;
  }

  /**
   * Stores a new task, or the state of a task that this object has stored or read. Rejects with ETAG_MISMATCH if a new
   * task's id already exists (the request arrived twice: `restore` the task), or if another worker changed the state
   * since this object read it (use `updateState` where that can happen).
   */
  async save(): Promise<void> {
    if (this.#etag === undefined) return this.#store();
    for (let tries = 1; ; tries++) {
      try {
        const options = { ...this.#options, ifMatch: this.#etag };
        this.#take(await this.#memory.updateTaskContext(this.taskId, { state: this.state }, options));
        return;
      } catch (error) {
        if (!isStale(error) || tries >= maxTries) throw error;
        const entry = await this.#read();
        // If only the list of sub-tasks changed, the state can still be stored.
        if (JSON.stringify(entry.state) !== this.#stored) throw error;
        this.#etag = entry.etag;
      }
    }
  }

  /**
   * Changes the stored state and retries on concurrent changes by other workers. `change` receives a copy of the stored
   * state and may run several times.
   */
  async updateState(change: (state: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
    if (this.#etag === undefined) await this.save();
    for (let tries = 1; ; tries++) {
      try {
        this.state = change(JSON.parse(this.#stored));
        return await this.save();
      } catch (error) {
        if (!isStale(error) || tries >= maxTries) throw error;
        await this.refresh();
      }
    }
  }

  /** Reads the stored task again and discards unsaved state. */
  async refresh(): Promise<void> {
    this.#take(await this.#read());
  }

  /**
   * Delegates a sub-task and returns its id. The sub-task is added to the list before `send` is called, so that its
   * result always finds the task. If `send` fails, the sub-task is removed again.
   */
  async delegate(send: (subTaskId: string) => unknown, subTaskId: string = crypto.randomUUID()): Promise<string> {
    if (this.#etag === undefined) await this.save();
    await this.#changeSubTasks({ add: [subTaskId] });
    try {
      await send(subTaskId);
    } catch (error) {
      await this.#changeSubTasks({ remove: [subTaskId] });
      throw error;
    }
    return subTaskId;
  }

  /**
   * Removes a sub-task from the list. Returns true if it was the last one. Exactly one worker gets true, and that
   * worker completes the task.
   */
  async finishSubTask(subTaskId: string): Promise<boolean> {
    return (await this.#changeSubTasks({ remove: [subTaskId] })).became_empty;
  }

  /** Sends the response, then deletes the task. If the worker dies in between, the response may be sent again. */
  async complete<T>(result: T, send: (response: TaskResponse<T>) => unknown): Promise<void> {
    const { responseEvent, responseTopic } = this.#fields;
    await send({
      taskId: this.taskId,
      event: responseEvent ?? null,
      topic: responseTopic ?? 'action-results',
      result,
    });
    await this.#memory.deleteTaskContext(this.taskId, this.#options);
    this.#etag = undefined;
  }

  async #store(): Promise<void> {
    const { planId, responseEvent, responseTopic } = this.#fields;
    const { etag } = await this.#memory.storeTaskContext(
      {
        task_id: this.taskId,
        event_type: this.eventType,
        data: this.data,
        state: this.state,
        ...(planId === undefined ? {} : { plan_id: planId }),
        ...(responseEvent === undefined ? {} : { response_event: responseEvent }),
        ...(responseTopic === undefined ? {} : { response_topic: responseTopic }),
      },
      { ...this.#options, onlyIfAbsent: true },
    );
    this.#stored = JSON.stringify(this.state);
    this.#etag = etag;
  }

  async #read(): Promise<TaskContextEntry & { etag: string }> {
    const entry = await this.#memory.getTaskContext(this.taskId, this.#options);
    if (entry !== null) return entry;
    throw new MemhallError({ code: 'NOT_FOUND', status: 404, message: `Task ${this.taskId} no longer exists.` });
  }

  async #changeSubTasks(change: { add?: string[]; remove?: string[] }) {
    const changed = await this.#memory.changeSubTasks(this.taskId, change, this.#options);
    this.#subTasks = changed.sub_tasks;
    return changed;
  }

  #take(entry: TaskContextEntry & { etag: string }): void {
    this.#fields = {
      taskId: entry.task_id,
      eventType: entry.event_type,
      responseTopic: entry.response_topic,
      data: entry.data,
      ...(entry.plan_id === null ? {} : { planId: entry.plan_id }),
      ...(entry.response_event === null ? {} : { responseEvent: entry.response_event }),
    };
    this.state = entry.state;
    this.#stored = JSON.stringify(entry.state);
    this.#subTasks = entry.sub_tasks;
    this.#etag = entry.etag;
  }
}

function isStale(error: unknown): boolean {
  return error instanceof MemhallError && error.code === 'ETAG_MISMATCH';
}
