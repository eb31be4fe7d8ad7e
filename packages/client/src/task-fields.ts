import type { UserOptions } from './client-area.js';

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

export interface TaskOptions extends UserOptions {
  /**
   * How long this worker has to take the next step of a task (to delegate or to complete it) before another worker may
   * take over. 1 to 3600, default 60.
   */
  leaseSeconds?: number;
}

/** The response of a finished task. */
export interface TaskResponse<T> {
  taskId: string;
  event: string | null;
  topic: string;
  result: T;
}

/**
 * What this worker has to do next for a task.
 * - `delegate`: the task has no sub-tasks yet, and this worker has its lease.
 * - `wait`: the task waits for sub-tasks, or this worker does not have its lease.
 * - `complete`: all sub-tasks are finished, and this worker has the task's lease.
 */
export type TaskStep = 'delegate' | 'wait' | 'complete';
