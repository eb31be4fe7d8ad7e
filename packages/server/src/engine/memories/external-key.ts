import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from './kinds.js';
import { partitionOf, type Visibility } from './scope-partitions.js';

/** A key that its author chose: unique among the memories of a kind with the same visibility. */
export interface ExternalKey {
  kind: MemoryKind;
  visibility: Visibility;
  externalId: string;
}

/** Returns undefined if there is no such memory, or if it has expired. */
export function getByExternalId(engine: Engine, caller: Caller, key: ExternalKey): Promise<Memory | undefined> {
  const now = engine.clock.now();
  return engine.store.read(scopeOf(caller), (tables) => findByExternalId(tables, caller, key, now));
}

export async function findByExternalId(
  tables: Tables,
  caller: Caller,
  { kind, visibility, externalId }: ExternalKey,
  now: Date,
): Promise<Memory | undefined> {
  const partition = partitionOf(caller, visibility);
  const [found] = await tables.memories.findByExternalId(partition, kind, [externalId.normalize('NFC')]);
  return found !== undefined && (found.expiresAt === null || found.expiresAt > now) ? found : undefined;
}
