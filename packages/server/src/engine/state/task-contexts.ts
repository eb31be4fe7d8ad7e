import { type Json, Problem, uuidv7 } from '@memhall/core';
import type { TaskContext } from '../../ports/task-contexts.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { maxAwaitedIds } from './state-limits.js';

/** How the audit log names a task context. */
export function taskTarget(taskId: string): string {
  return `task/${taskId}`;
}

/** Describes a change of a task context for the audit log. `before` or `after` is undefined if there is none. */
function taskMutation(taskId: string, before: TaskContext | undefined, after: TaskContext | undefined): Mutation {
  return {
    target: taskTarget(taskId),
    preEtag: before?.etag ?? null,
    postEtag: after?.etag ?? null,
    contentHash: after === undefined ? null : hashOf(after),
  };
}

function hashOf({ etag: _, createdAt: __, updatedAt: ___, ...content }: TaskContext): string {
  return contentHash(content);
}

export function getTaskContext(
  engine: Engine,
  caller: Caller,
  input: { taskId: string },
): Promise<TaskContext | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.taskContexts.get(input.taskId));
}

/** Returns the task that waits for a sub-task, the newest if several do. */
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
  precondition: Precondition;
}

/** Creates a task context, or replaces every field of the existing one except its creation time. */
export function storeTaskContext(
  engine: Engine,
  caller: Caller,
  { precondition, ...input }: StoreTaskContext,
): Promise<{ task: TaskContext; created: boolean }> {
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.taskContexts.get(input.taskId);
    checkPrecondition(precondition, current?.etag);
    const task: TaskContext = {
      ...input,
      subTasks: [...new Set(input.subTasks)],
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

/** Replaces each given field completely. Returns undefined if there is no such task. */
export function updateTaskContext(
  engine: Engine,
  caller: Caller,
  input: UpdateTaskContext,
): Promise<TaskContext | undefined> {
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.taskContexts.get(input.taskId);
    if (current === undefined) return { result: undefined, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    const task: TaskContext = {
      ...current,
      subTasks: input.subTasks === undefined ? current.subTasks : [...new Set(input.subTasks)],
      state: input.state ?? current.state,
      etag: uuidv7(now.getTime()),
      updatedAt: now,
    };
    tables.taskContexts.put(task);
    return { result: task, mutations: [taskMutation(task.taskId, current, task)] };
  });
}

interface SubTaskChange {
  taskId: string;
  add: readonly string[];
  remove: readonly string[];
}

interface ChangedSubTasks {
  task: TaskContext;
  /** The ids of `remove` that were in the list, in the order of the list. */
  removed: string[];
  /** Whether this change removed the last sub-task. True for only one of several concurrent callers. */
  becameEmpty: boolean;
}

/**
 * Adds and removes sub-tasks without losing concurrent changes to the list. Adding an id that is present and removing
 * one that is absent change nothing. Returns undefined if there is no such task.
 */
export async function changeSubTasks(
  engine: Engine,
  caller: Caller,
  input: SubTaskChange,
): Promise<ChangedSubTasks | undefined> {
  const remove = new Set(input.remove);
  const both = input.add.find((id) => remove.has(id));
  if (both !== undefined) {
    throw new Problem('INVALID_REQUEST', `"${both}" is to be added and removed at once: name it in one list.`);
  }
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.taskContexts.get(input.taskId);
    if (current === undefined) return { result: undefined, mutations: [] };
    const removed = current.subTasks.filter((id) => remove.has(id));
    const subTasks = [...new Set([...current.subTasks.filter((id) => !remove.has(id)), ...input.add])];
    if (subTasks.length > maxAwaitedIds) {
      throw new Problem('INVALID_REQUEST', `A task can wait for ${maxAwaitedIds} sub-tasks at the most.`);
    }
    const becameEmpty = removed.length > 0 && subTasks.length === 0;
    const unchanged = removed.length === 0 && subTasks.length === current.subTasks.length;
    if (unchanged) return { result: { task: current, removed, becameEmpty }, mutations: [] };
    const task = { ...current, subTasks, etag: uuidv7(now.getTime()), updatedAt: now };
    tables.taskContexts.put(task);
    return { result: { task, removed, becameEmpty }, mutations: [taskMutation(task.taskId, current, task)] };
  });
}

/** Returns false if there was no such task context. */
export function deleteTaskContext(
  engine: Engine,
  caller: Caller,
  input: { taskId: string; precondition: Precondition },
): Promise<boolean> {
  return mutate(engine, caller, async (tables) => {
    const current = await tables.taskContexts.get(input.taskId);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    tables.taskContexts.delete(input.taskId);
    return { result: true, mutations: [taskMutation(input.taskId, current, undefined)] };
  });
}
