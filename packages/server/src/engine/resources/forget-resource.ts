import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { ownerOf } from '../outer/attempt-outer.js';
import { removeResource } from './remove-resource.js';
import { removeOut } from './resource-file.js';

/** Removes a resource for good: its file, the memories it was cut into, their vectors. False: the user has none of this id. */
export function forgetResource(engine: Engine, caller: Caller, resourceId: string): Promise<boolean> {
  const { outer } = engine;
  return mutate(engine, caller, async (tables) => {
    const resource = await tables.resources.get(resourceId);
    if (resource === undefined) return { result: false, mutations: [] };
    const mutation = removeResource(tables, caller.userId, resourceId);
    // Before the row is gone for good: a file without a row would bring it back.
    const beforeCommit = outer === null ? undefined : () => removeOut(outer, ownerOf(caller), resourceId);
    return { result: true, mutations: [mutation], beforeCommit };
  });
}
