import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { removeResource } from './remove-resource.js';

/** Permanently removes a resource: its file, the memories made from it and their vectors. Returns false if the user has no such resource. */
export function forgetResource(engine: Engine, caller: Caller, resourceId: string): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const resource = await tables.resources.get(resourceId);
    if (resource === undefined) return { result: false, mutations: [] };
    const { mutation, memoryIds } = await removeResource(tables, caller.userId, resourceId);
    return { result: true, mutations: [mutation, ...(await tellRemoved(engine, tables, memoryIds, now))] };
  });
}
