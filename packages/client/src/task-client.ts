import {
  conditions,
  type EachOptions,
  eachItem,
  type Fields,
  type PageOptions,
  pageOf,
  type Tagged,
  tagged,
  taggedOrNull,
  type UserOptions,
  userOf,
  type WriteOptions,
} from './client-area.js';
import type {
  SubTasksChanged,
  TaskContextEntry,
  TaskContextList,
  TaskContextStored,
  TaskContextSummary,
  TaskLease,
} from './generated/operations.js';
import { KnowledgeClient } from './knowledge-client.js';

export type NewTaskContext = Fields<'tasks.store'>;
export type TaskContextChange = Fields<'tasks.update'>;
export type SubTaskChange = Fields<'tasks.changeSubTasks'>;

export interface ListTaskContextsOptions extends PageOptions {
  planId?: string;
  /** Only tasks that have not changed for this long. */
  staleForSeconds?: number;
}

/** Calls for task contexts. */
export class TaskClient extends KnowledgeClient {
  /** Stores a task context. Replaces all fields of an existing context with the same id. */
  async storeTaskContext(
    task: NewTaskContext,
    options: WriteOptions & { onlyIfAbsent?: boolean } = {},
  ): Promise<Tagged<TaskContextStored>> {
    const headers = { ...conditions(options), ...(options.onlyIfAbsent ? { 'if-none-match': '*' } : {}) };
    const input = { path: {}, body: { ...task, ...userOf(options) }, headers };
    return tagged(await this.transport.call('tasks.store', input, options));
  }

  async getTaskContext(taskId: string, options: UserOptions = {}): Promise<Tagged<TaskContextEntry> | null> {
    const input = { path: { task_id: taskId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('tasks.get', input, options));
  }

  /** Returns the task that is waiting for a sub-task, or null. */
  async getTaskBySubtask(subTaskId: string, options: UserOptions = {}): Promise<Tagged<TaskContextEntry> | null> {
    const input = { path: { subtask_id: subTaskId }, query: userOf(options) };
    return taggedOrNull(this.transport.call('tasks.bySubTask', input, options));
  }

  async updateTaskContext(
    taskId: string,
    change: TaskContextChange,
    options: WriteOptions = {},
  ): Promise<Tagged<TaskContextEntry>> {
    const body = { ...change, ...userOf(options) };
    const input = { path: { task_id: taskId }, body, headers: conditions(options) };
    return tagged(await this.transport.call('tasks.update', input, options));
  }

  /** Returns one page, least recently changed first, without data and state of the tasks. */
  async listTaskContexts(options: ListTaskContextsOptions = {}): Promise<TaskContextList> {
    const query = { plan_id: options.planId, stale_for: options.staleForSeconds, ...pageOf(options) };
    return this.answer('tasks.list', { path: {}, query }, options);
  }

  /** Yields all task contexts, least recently changed first. */
  allTaskContexts(
    options: EachOptions<ListTaskContextsOptions> = {},
  ): AsyncGenerator<TaskContextSummary, void, undefined> {
    return eachItem(
      (page) => this.listTaskContexts({ ...options, ...page }),
      ({ task_contexts }) => task_contexts,
    );
  }

  /**
   * Changes the list atomically. `became_empty` is true for exactly one caller, even with concurrent changes. With
   * `lease_seconds`, that caller also gets the lease of the task.
   */
  async changeSubTasks(
    taskId: string,
    change: SubTaskChange,
    options: UserOptions = {},
  ): Promise<Tagged<SubTasksChanged>> {
    const input = { path: { task_id: taskId }, body: { ...change, ...userOf(options) } };
    return tagged(await this.transport.call('tasks.changeSubTasks', input, options));
  }

  /**
   * Takes the lease of a task that waits for no sub-task, or renews the lease `leaseId`. Rejects with LEASE_HELD if another
   * worker has it, and with LEASE_LOST if it can no longer be renewed.
   */
  async takeTaskLease(
    taskId: string,
    options: UserOptions & { leaseId?: string; leaseSeconds?: number } = {},
  ): Promise<TaskLease> {
    const body = { lease_id: options.leaseId, lease_seconds: options.leaseSeconds, ...userOf(options) };
    return this.answer('tasks.takeLease', { path: { task_id: taskId }, body }, options);
  }

  /** Lets a lease expire now. Returns false if there is no such task context. */
  async releaseTaskLease(taskId: string, leaseId: string, options: UserOptions = {}): Promise<boolean> {
    const input = { path: { task_id: taskId }, query: { lease_id: leaseId, ...userOf(options) } };
    return this.remove('tasks.releaseLease', input, options);
  }

  /** With a lease, rejects with LEASE_LOST if another worker has taken it. Returns false if there was no such task context. */
  async deleteTaskContext(taskId: string, options: WriteOptions & { leaseId?: string } = {}): Promise<boolean> {
    const query = { lease_id: options.leaseId, ...userOf(options) };
    const input = { path: { task_id: taskId }, query, headers: conditions(options) };
    return this.remove('tasks.delete', input, options);
  }
}
