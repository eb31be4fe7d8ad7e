import type { TaskContext } from '../../ports/task-contexts.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';

/** The task that waits for a sub-task; the one created last where several do. */
export function findTaskBySubTask(
  engine: Engine,
  caller: Caller,
  input: { subTaskId: string },
): Promise<TaskContext | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.taskContexts.findBySubTask(input.subTaskId));
}
