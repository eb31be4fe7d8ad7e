import type { Json } from '@memhall/core';

/** The right of one worker to take the next step of a task: to delegate sub-tasks, or to complete it. */
export interface TaskLease {
  /** New whenever another worker takes the lease. */
  id: string;
  /** From then on, another worker can take the lease. It stays valid until one does. */
  expiresAt: Date;
  /** The sub-tasks whose removal gave the lease; empty if the task has not waited for any yet. */
  subTasks: string[];
}

/** The data a worker stores about a task while others work on parts of it. */
export interface TaskContext {
  taskId: string;
  planId: string | null;
  eventType: string;
  responseEvent: string | null;
  responseTopic: string;
  /** The original request. */
  data: { [key: string]: Json };
  /** Ids of delegated sub-tasks that are not done yet, without duplicates, in the order they were added. */
  subTasks: string[];
  /** Owned by the worker. */
  state: { [key: string]: Json };
  /** null while it waits for sub-tasks. */
  lease: TaskLease | null;
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The form of a task context in lists. */
export type TaskSummary = Omit<TaskContext, 'data' | 'state'>;

export interface TaskFilter {
  planId?: string | undefined;
  /** Last updated at this time or before. */
  updatedUntil?: Date | undefined;
}

/** Task contexts of the transaction's user. */
export interface TaskContexts {
  get(taskId: string): Promise<TaskContext | undefined>;
  /**
   * An index lookup among sub-tasks in the list and those of the lease. Returns the most recently created task if there
   * are several.
   */
  findBySubTask(subTaskId: string): Promise<TaskContext | undefined>;
  /** Least recently updated first, then by id, starting after the position `after`. */
  list(
    filter: TaskFilter,
    page: { after: { at: Date; id: string } | undefined; limit: number },
  ): Promise<TaskSummary[]>;
  /** Inserts or replaces, including sub-tasks. Queued: a failure fails the transaction at commit. */
  put(task: TaskContext): void;
  /** Queued; does nothing if it does not exist. */
  delete(taskId: string): void;
  /**
   * Returns the users of the tenant that have contexts last updated before a time, in order. Operator transactions
   * only.
   */
  staleOwners(before: Date): Promise<string[]>;
  /** Removes at most `limit` contexts last updated before a time. Returns their ids. */
  deleteStale(before: Date, limit: number): Promise<string[]>;
}
