import type { TaskContext } from '../../ports/task-contexts.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';

export function getTaskContext(
  engine: Engine,
  caller: Caller,
  input: { taskId: string },
): Promise<TaskContext | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.taskContexts.get(input.taskId));
}
