import { Problem, uuidv7 } from '@memhall/core';
import type { TaskContext, TaskLease } from '../../ports/task-contexts.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { taskMutation } from './task-mutation.js';

export const leaseLimits = { defaultSeconds: 60, maxSeconds: 3600 } as const;

export function newLease(seconds: number, now: Date, subTasks: readonly string[] = []): TaskLease {
  return { id: uuidv7(now.getTime()), expiresAt: expiryAfter(seconds, now), subTasks: [...subTasks] };
}

/** Throws LEASE_LOST unless the id is that of the task's lease. A lease that expired is valid until another worker takes it. */
export function checkLease(task: TaskContext, leaseId: string | undefined): void {
  if (leaseId === undefined || task.lease?.id === leaseId) return;
  throw new Problem('LEASE_LOST', 'The lease has ended or passed to another worker: leave the task to the others.');
}

/** Gives the lease of a task to another worker. Throws LEASE_HELD if it has not expired. */
export function passLease(lease: TaskLease | null, seconds: number, now: Date): TaskLease {
  if (lease !== null && lease.expiresAt > now) {
    throw new Problem('LEASE_HELD', 'Another worker has the lease of the task: try again when it has expired.', {
      details: { expires_at: lease.expiresAt.toISOString() },
      retryAfterSeconds: Math.ceil((lease.expiresAt.getTime() - now.getTime()) / 1000),
    });
  }
  return newLease(seconds, now, lease?.subTasks);
}

interface TakeLease {
  taskId: string;
  seconds: number;
  /** The caller's lease, to be renewed; undefined: the caller has none. */
  leaseId: string | undefined;
}

/**
 * Takes the lease of a task that waits for no sub-task, or renews the caller's. Throws LEASE_HELD, LEASE_LOST, and
 * CONFLICT if the task waits for sub-tasks. Returns undefined if there is no such task.
 */
export function takeLease(engine: Engine, caller: Caller, input: TakeLease): Promise<TaskLease | undefined> {
  return changeLease(engine, caller, input, (task, now) => {
    if (input.leaseId !== undefined && task.lease !== null) {
      return { ...task.lease, expiresAt: expiryAfter(input.seconds, now) };
    }
    if (task.subTasks.length > 0) {
      throw new Problem(
        'CONFLICT',
        'The task waits for sub-tasks: the worker that finishes the last one gets the lease.',
      );
    }
    return passLease(task.lease, input.seconds, now);
  });
}

/** Lets a lease expire now. Throws LEASE_LOST. Returns undefined if there is no such task. */
export function releaseLease(
  engine: Engine,
  caller: Caller,
  input: { taskId: string; leaseId: string },
): Promise<TaskLease | undefined> {
  return changeLease(engine, caller, input, ({ lease }, now) => ({ ...(lease as TaskLease), expiresAt: now }));
}

function changeLease(
  engine: Engine,
  caller: Caller,
  { taskId, leaseId }: { taskId: string; leaseId: string | undefined },
  change: (task: TaskContext, now: Date) => TaskLease,
): Promise<TaskLease | undefined> {
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.taskContexts.get(taskId);
    if (current === undefined) return { result: undefined, mutations: [] };
    checkLease(current, leaseId);
    const lease = change(current, now);
    const task = { ...current, lease, etag: uuidv7(now.getTime()), updatedAt: now };
    tables.taskContexts.put(task);
    return { result: lease, mutations: [taskMutation(taskId, current, task)] };
  });
}

function expiryAfter(seconds: number, now: Date): Date {
  return new Date(now.getTime() + seconds * 1000);
}
