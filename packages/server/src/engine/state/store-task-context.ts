import { type Json, uuidv7 } from '@memhall/core';
import type { TaskContext } from '../../ports/task-contexts.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { taskMutation } from './task-mutation.js';

export interface StoreTaskContext {
  taskId: string;
  planId: string | null;
  eventType: string;
  responseEvent: string | null;
  responseTopic: string;
  data: { [key: string]: Json };
  /** Repeated ids count once. */
  subTasks: readonly string[];
  state: { [key: string]: Json };
  precondition: Precondition;
}

/** Creates a task context, or replaces every field of the one with this id but its time of creation. */
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
