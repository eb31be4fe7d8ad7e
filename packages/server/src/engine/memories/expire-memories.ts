import { performance } from 'node:perf_hooks';
import type { Memory } from '../../ports/memories.js';
import { maintainTenant } from '../audit/maintain.js';
import { mutateIn } from '../audit/mutate.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { maxIdleMs } from './index/segment-cache.js';
import { memoryMutation } from './memory-target.js';
import { tellRemoved } from './memory-watcher.js';
import { groupByWriter, writerScope } from './refresh-forms.js';

const batchSize = 500;
const operation = 'memories.expire';

/** Removes a tenant's expired memories, which can no longer be recalled. Returns how many. */
export async function expireMemories(engine: Engine, tenantId: string): Promise<number> {
  let removed = 0;
  for (;;) {
    const now = engine.clock.now();
    const since = performance.now();
    const batch = await engine.store.inspect(tenantId, (tables) => tables.memories.expired(batchSize, now));
    if (batch.length === 0) return removed;
    for (const members of groupByWriter(batch).values())
      removed += await removeGroup(engine, tenantId, members, { now, since });
  }
}

/** Drops removal records that no reader needs: a segment that was not refreshed for an hour is read from the start. */
export function forgetRemovals(engine: Engine, tenantId: string): Promise<void> {
  const before = new Date(engine.clock.now().getTime() - 2 * maxIdleMs);
  return maintainTenant(engine, tenantId, async (tables) => tables.memoryIndex.forgetRemovals(before));
}

/** Removes a tenant's expired namespaces with their memories. Returns how many. */
export async function expireNamespaces(engine: Engine, tenantId: string): Promise<number> {
  const now = engine.clock.now();
  const names = await engine.store.inspect(tenantId, (tables) => tables.namespaces.expired(batchSize, now));
  for (const name of names) {
    const scope = { tenantId, userId: null, namespaces: [name], writableNamespaces: [name] };
    await mutateIn(engine, scope, systemCaller(tenantId, '', operation), async (tables) => {
      tables.memories.lock({ kind: 'namespace', name });
      const current = await tables.namespaces.get(name);
      if (current?.expiresAt == null || current.expiresAt > now) return { result: undefined, mutations: [] };
      tables.namespaces.delete(name);
      const mutation = { target: `namespace/${name}`, preEtag: null, postEtag: null, contentHash: null };
      return { result: undefined, mutations: [mutation] };
    });
  }
  return names.length;
}

/** Keeps memories whose expiry was extended, or that were written again under the same id, since they were found. */
function removeGroup(
  engine: Engine,
  tenantId: string,
  members: readonly Memory[],
  { now, since }: { now: Date; since: number },
): Promise<number> {
  const [first] = members;
  if (first === undefined) return Promise.resolve(0);
  const caller = systemCaller(tenantId, first.userId, operation);
  return mutateIn(engine, { ...writerScope(tenantId, first), since }, caller, async (tables) => {
    if (first.partition.kind !== 'user') tables.memories.lock(first.partition);
    const stored = await tables.memories.findStored(members.map(({ id }) => id));
    const expired = stored.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now);
    if (expired.length === 0) return { result: 0, mutations: [] };
    const ids = expired.map(({ id }) => id);
    tables.memories.delete(ids);
    const followed = first.userId === '' ? [] : await tellRemoved(engine, tables, ids, now);
    return {
      result: expired.length,
      mutations: [...expired.map((memory) => memoryMutation(memory, null)), ...followed],
    };
  });
}
