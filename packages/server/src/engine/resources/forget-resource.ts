import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import { removeResource } from './remove-resource.js';

/** Permanently removes a resource: its file, the memories made from it and their vectors. Returns false if the user has no such resource. */
export function forgetResource(engine: Engine, caller: Caller, resourceId: string): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables) => {
    const resource = await tables.resources.get(resourceId);
    if (resource === undefined) return { result: false, mutations: [] };
    return { result: true, mutations: [removeResource(tables, caller.userId, resourceId)] };
  });
}
