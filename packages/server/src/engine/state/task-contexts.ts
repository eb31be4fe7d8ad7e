import { type Json, Problem, uuidv7 } from '@memhall/core';
import type { TaskContext } from '../../ports/task-contexts.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { noteCompleted, wasCompleted } from './completed-tasks.js';
import { checkLease, newLease } from './task-lease.js';
import { taskMutation } from './task-mutation.js';

export function getTaskContext(
  engine: Engine,
  caller: Caller,
  input: { taskId: string },
): Promise<TaskContext | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.taskContexts.get(input.taskId));
}

/**
 * Returns the task that waits for a sub-task, the newest if several do. The last sub-task finds its task until that is
 * completed, if its removal gave a lease.
 */
export function findTaskBySubTask(
  engine: Engine,
  caller: Caller,
  input: { subTaskId: string },
): Promise<TaskContext | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.taskContexts.findBySubTask(input.subTaskId));
}

interface StoreTaskContext {
  taskId: string;
  planId: string | null;
  eventType: string;
  responseEvent: string | null;
  responseTopic: string;
  data: { [key: string]: Json };
  /** Duplicates are dropped. */
  subTasks: readonly string[];
  state: { [key: string]: Json };
  /** How long the caller wants to have the task's lease. Undefined: not at all. */
  leaseSeconds: number | undefined;
  precondition: Precondition;
}

/**
 * Creates a task context, or replaces every field of the existing one except its creation time. Throws INVALID_REQUEST
 * if a lease is wanted of a task that waits for sub-tasks. A task that must be absent must not have been completed in
 * the last 24 hours either.
 */
export async function storeTaskContext(
  engine: Engine,
  caller: Caller,
  { precondition, leaseSeconds, ...input }: StoreTaskContext,
): Promise<{ task: TaskContext; created: boolean }> {
  if (leaseSeconds !== undefined && input.subTasks.length > 0) {
    const message = 'A task that waits for sub-tasks has no lease: leave out "lease_seconds" or "sub_tasks".';
    throw new Problem('INVALID_REQUEST', message);
  }
  return mutate(engine, caller, async (tables, now) => {
    const [current, isCompleted] = await Promise.all([
      tables.taskContexts.get(input.taskId),
      precondition.kind === 'absent' && wasCompleted(tables, input.taskId, now),
    ]);
    checkPrecondition(precondition, current?.etag);
    if (isCompleted) {
      const message = 'The task was completed within the last 24 hours: its request was delivered again. Drop it.';
      throw new Problem('ETAG_MISMATCH', message, { details: { latest_etag: null } });
    }
    const task: TaskContext = {
      ...input,
      subTasks: [...new Set(input.subTasks)],
      lease: leaseSeconds === undefined ? null : newLease(leaseSeconds, now),
      etag: uuidv7(now.getTime()),
      createdAt: current?.createdAt ?? now,
      updatedAt: now,
    };
    tables.taskContexts.put(task);
    return {
      result: { task, created: current === undefined },
      mutations: [taskMutation(task.taskId, current, task)],
    };
  });
}

interface UpdateTaskContext {
  taskId: string;
  /** Undefined: unchanged. */
  subTasks: readonly string[] | undefined;
  state: { [key: string]: Json } | undefined;
  precondition: Precondition;
}

/** Replaces each given field completely. A list of sub-tasks ends the lease. Returns undefined if there is no such task. */
export function updateTaskContext(
  engine: Engine,
  caller: Caller,
  input: UpdateTaskContext,
): Promise<TaskContext | undefined> {
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.taskContexts.get(input.taskId);
    if (current === undefined) return { result: undefined, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    const subTasks = input.subTasks === undefined ? current.subTasks : [...new Set(input.subTasks)];
    const task: TaskContext = {
      ...current,
      subTasks,
      lease: subTasks.length === 0 ? current.lease : null,
      state: input.state ?? current.state,
      etag: uuidv7(now.getTime()),
      updatedAt: now,
    };
    tables.taskContexts.put(task);
    return { result: task, mutations: [taskMutation(task.taskId, current, task)] };
  });
}

/**
 * With a lease id, the task counts as completed. Throws LEASE_LOST if that is no longer the task's lease. Returns false if
 * there was no such task context.
 */
export function deleteTaskContext(
  engine: Engine,
  caller: Caller,
  input: { taskId: string; leaseId: string | undefined; precondition: Precondition },
): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const current = await tables.taskContexts.get(input.taskId);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    checkLease(current, input.leaseId);
    tables.taskContexts.delete(input.taskId);
    if (input.leaseId !== undefined) noteCompleted(tables, input.taskId, now);
    return { result: true, mutations: [taskMutation(input.taskId, current, undefined)] };
  });
}
