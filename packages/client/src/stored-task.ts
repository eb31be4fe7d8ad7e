import type { TaskContextEntry, TaskLease } from './generated/operations.js';
import { hasCode, MemhallError, maxTries } from './memhall-error.js';
import type { StateClient } from './state-client.js';
import type { TaskFields, TaskOptions } from './task-fields.js';

/** Default of `TaskOptions.leaseSeconds`. */
export const defaultLeaseSeconds = 60;

/** The stored part of a task: its request and the state of its worker. */
export class StoredTask {
  /** State of the worker. `save` stores it. */
  state: Record<string, unknown>;
  protected readonly memory: StateClient;
  protected readonly options: TaskOptions;
  protected fields: TaskFields;
  protected awaited: readonly string[] = [];
  /** Undefined if this object does not have the task's lease. */
  protected lease: TaskLease | undefined;
  /** The state as last read or stored, as JSON. */
  #stored = '{}';
  /** Undefined if the task is not stored yet. */
  #etag: string | undefined;

  constructor(memory: StateClient, fields: TaskFields, options: TaskOptions = {}) {
    this.memory = memory;
    this.fields = fields;
    this.options = options;
    this.state = fields.state ?? {};
  }

  get taskId(): string {
    return this.fields.taskId;
  }

  get planId(): string | null {
    return this.fields.planId ?? null;
  }

  get eventType(): string {
    return this.fields.eventType;
  }

  /** The original request. */
  get data(): Record<string, unknown> {
    return this.fields.data ?? {};
  }

  /** As last read or changed by this object. */
  get subTasks(): readonly string[] {
    return this.awaited;
  }

  /**
   * Stores a new task and takes its lease, or stores the state of a task that this object has stored or read. Rejects with
   * ETAG_MISMATCH if a new task's id already exists or was completed in the last 24 hours (the request arrived twice: use
   * `begin` where that can happen), or if another worker changed the state since this object read it (use `updateState`).
   */
  async save(): Promise<void> {
    if (this.#etag === undefined) return this.#store();
    for (let tries = 1; ; tries++) {
      try {
        const options = { ...this.options, ifMatch: this.#etag };
        this.take(await this.memory.updateTaskContext(this.taskId, { state: this.state }, options));
        return;
      } catch (error) {
        if (!hasCode(error, 'ETAG_MISMATCH') || tries >= maxTries) throw error;
        const entry = await this.#read();
        // If only the list of sub-tasks or the lease changed, the state can still be stored.
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
    await this.saveIfNew();
    for (let tries = 1; ; tries++) {
      try {
        this.state = change(JSON.parse(this.#stored));
        return await this.save();
      } catch (error) {
        if (!hasCode(error, 'ETAG_MISMATCH') || tries >= maxTries) throw error;
        await this.refresh();
      }
    }
  }

  /** Reads the stored task again and discards unsaved state. */
  async refresh(): Promise<void> {
    this.take(await this.#read());
  }

  protected async saveIfNew(): Promise<void> {
    if (this.#etag === undefined) await this.save();
  }

  protected take(entry: TaskContextEntry & { etag: string }): void {
    this.fields = {
      taskId: entry.task_id,
      eventType: entry.event_type,
      responseTopic: entry.response_topic,
      data: entry.data,
      ...(entry.plan_id === null ? {} : { planId: entry.plan_id }),
      ...(entry.response_event === null ? {} : { responseEvent: entry.response_event }),
    };
    this.state = entry.state;
    this.#stored = JSON.stringify(entry.state);
    this.awaited = entry.sub_tasks;
    this.#etag = entry.etag;
  }

  /** The task is no longer stored. */
  protected forget(): void {
    this.#etag = undefined;
    this.lease = undefined;
  }

  async #store(): Promise<void> {
    const { planId, responseEvent, responseTopic } = this.fields;
    const { etag, lease } = await this.memory.storeTaskContext(
      {
        task_id: this.taskId,
        event_type: this.eventType,
        data: this.data,
        state: this.state,
        lease_seconds: this.options.leaseSeconds ?? defaultLeaseSeconds,
        ...(planId === undefined ? {} : { plan_id: planId }),
        ...(responseEvent === undefined ? {} : { response_event: responseEvent }),
        ...(responseTopic === undefined ? {} : { response_topic: responseTopic }),
      },
      { ...this.options, onlyIfAbsent: true },
    );
    this.#stored = JSON.stringify(this.state);
    this.#etag = etag;
    this.lease = lease;
  }

  async #read(): Promise<TaskContextEntry & { etag: string }> {
    const entry = await this.memory.getTaskContext(this.taskId, this.options);
    if (entry !== null) return entry;
    throw new MemhallError({ code: 'NOT_FOUND', status: 404, message: `Task ${this.taskId} no longer exists.` });
  }
}
