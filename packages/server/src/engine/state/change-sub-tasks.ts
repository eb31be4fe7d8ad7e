import { Problem, uuidv7 } from '@memhall/core';
import type { TaskContext, TaskLease } from '../../ports/task-contexts.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { maxAwaitedIds } from './state-limits.js';
import { checkLease, newLease, passLease } from './task-lease.js';
import { taskMutation } from './task-mutation.js';

interface SubTaskChange {
  taskId: string;
  add: readonly string[];
  remove: readonly string[];
  /** The change is made only with this lease. Undefined: with or without one. */
  leaseId: string | undefined;
  /** How long a lease the caller wants if nothing is left to wait for. Undefined: none. */
  leaseSeconds: number | undefined;
}

interface ChangedSubTasks {
  task: TaskContext;
  /** The ids of `remove` that were in the list, in the order of the list. */
  removed: string[];
  /** Whether this change removed the last sub-task. True for only one of several concurrent callers. */
  becameEmpty: boolean;
  /** The lease that the caller got; null if it got none. */
  lease: TaskLease | null;
}

/**
 * Adds and removes sub-tasks without losing concurrent changes to the list. Adding an id that is present and removing
 * one that is absent change nothing. Sub-tasks that are added end the task's lease.
 *
 * A caller that wants a lease gets one if it removes the last sub-task. If it names a sub-task whose removal gave the
 * lease before, its message was delivered again: the caller gets the lease if that has expired, otherwise LEASE_HELD is
 * thrown. Throws LEASE_LOST too. Returns undefined if there is no such task.
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
    checkLease(current, input.leaseId);
    const removed = current.subTasks.filter((id) => remove.has(id));
    const subTasks = [...new Set([...current.subTasks.filter((id) => !remove.has(id)), ...input.add])];
    if (subTasks.length > maxAwaitedIds) {
      throw new Problem('INVALID_REQUEST', `A task can wait for ${maxAwaitedIds} sub-tasks at the most.`);
    }
    const becameEmpty = removed.length > 0 && subTasks.length === 0;
    const granted = grant(current, { removed, isEmpty: subTasks.length === 0 }, input, now);
    const changed = { removed, becameEmpty, lease: granted };
    const isSame = removed.length === 0 && subTasks.length === current.subTasks.length;
    if (isSame && granted === null) return { result: { task: current, ...changed }, mutations: [] };
    const lease = granted ?? (subTasks.length === 0 ? current.lease : null);
    const task = { ...current, subTasks, lease, etag: uuidv7(now.getTime()), updatedAt: now };
    tables.taskContexts.put(task);
    return { result: { task, ...changed }, mutations: [taskMutation(task.taskId, current, task)] };
  });
}

/** Returns the lease that a change gives its caller, or null. Throws LEASE_HELD. */
function grant(
  { lease }: TaskContext,
  { removed, isEmpty }: { removed: readonly string[]; isEmpty: boolean },
  { remove, leaseSeconds }: SubTaskChange,
  now: Date,
): TaskLease | null {
  if (leaseSeconds === undefined || !isEmpty) return null;
  if (removed.length > 0) return newLease(leaseSeconds, now, removed);
  const isDeliveredAgain = lease !== null && remove.some((id) => lease.subTasks.includes(id));
  return isDeliveredAgain ? passLease(lease, leaseSeconds, now) : null;
}
