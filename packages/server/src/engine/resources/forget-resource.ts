import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { mutate } from '../governance/mutate.js';
import { resourceKind, resourceSession, resourceTarget } from './resource-chunks.js';

/** Removes a resource for good: its file, the memories it was cut into, their vectors. False: the user has none of this id. */
export function forgetResource(engine: Engine, caller: Caller, resourceId: string): Promise<boolean> {
  return mutate(engine, caller, async (tables) => {
    const resource = await tables.resources.get(resourceId);
    if (resource === undefined) return { result: false, mutations: [] };
    const session = resourceSession(caller.userId, resourceId);
    tables.memories.deleteSession({ kind: 'user', userId: caller.userId }, session, resourceKind);
    tables.resources.delete(resourceId);
    const mutation = { target: resourceTarget(resourceId), preEtag: null, postEtag: null, contentHash: null };
    return { result: true, mutations: [mutation] };
  });
}
