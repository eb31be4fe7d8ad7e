import type { Json } from '@memhall/core';

/** What a worker keeps of a task while others work on parts of it. */
export interface TaskContext {
  taskId: string;
  planId: string | null;
  eventType: string;
  responseEvent: string | null;
  responseTopic: string;
  /** The original request. */
  data: { [key: string]: Json };
  /** Ids of what was delegated and is not done yet, each once, in the order they were added. */
  subTasks: string[];
  /** The worker's own. */
  state: { [key: string]: Json };
  /** Opaque, without quotes; new with every put. */
  etag: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Task contexts of the transaction's user. */
export interface TaskContexts {
  get(taskId: string): Promise<TaskContext | undefined>;
  /** An index look-up. The one created last where several wait for the sub-task. */
  findBySubTask(subTaskId: string): Promise<TaskContext | undefined>;
  /** Inserts or replaces, sub-tasks included. Queued: a failure fails the transaction when it commits. */
  put(task: TaskContext): void;
  /** Queued; removing what is not there is no failure. */
  delete(taskId: string): void;
  /** Users of the tenant who have contexts last updated before a moment, in order. Operators' transactions only. */
  staleOwners(before: Date): Promise<string[]>;
  /** Removes contexts last updated before a moment, at most `limit`, and answers their ids. */
  deleteStale(before: Date, limit: number): Promise<string[]>;
}
