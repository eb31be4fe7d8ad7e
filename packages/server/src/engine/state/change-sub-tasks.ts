import { Problem, uuidv7 } from '@memhall/core';
import type { TaskContext } from '../../ports/task-contexts.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { maxAwaitedIds } from './state-limits.js';
import { taskMutation } from './task-mutation.js';

export interface SubTaskChange {
  taskId: string;
  add: readonly string[];
  remove: readonly string[];
}

export interface ChangedSubTasks {
  task: TaskContext;
  /** Those of `remove` that were there, in the order of the list. */
  removed: string[];
  /** Whether this very change took the last one: true once, however many callers remove at the same time. */
  becameEmpty: boolean;
}

/**
 * Adds and removes sub-tasks without disturbing what others do to the list meanwhile. Adding what is there, and removing
 * what is not, changes nothing. undefined: there is no such task.
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
