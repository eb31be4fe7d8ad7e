import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { taskMutation } from './task-mutation.js';

/** Answers whether there was one to delete. */
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
