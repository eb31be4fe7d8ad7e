import { type Json, uuidv7 } from '@memhall/core';
import type { TaskContext } from '../../ports/task-contexts.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { taskMutation } from './task-mutation.js';

export interface UpdateTaskContext {
  taskId: string;
  /** undefined: stays as it is. */
  subTasks: readonly string[] | undefined;
  state: { [key: string]: Json } | undefined;
  precondition: Precondition;
}

/** Replaces what is given, whole. undefined: there is no such task. */
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
