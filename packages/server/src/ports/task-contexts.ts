import type { Json } from '@memhall/core';

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
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Task contexts of the transaction's user. */
export interface TaskContexts {
  get(taskId: string): Promise<TaskContext | undefined>;
  /** An index lookup. Returns the most recently created one if several wait for the sub-task. */
  findBySubTask(subTaskId: string): Promise<TaskContext | undefined>;
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
