import type { Partition } from '../../../ports/memories.js';
import type { Scope, Tables } from '../../../ports/store.js';
import { maintain } from '../../audit/maintain.js';
import type { Engine } from '../../engine.js';

/** Returns the scope under whose lock the owner of the partition writes. */
export function writerScopeOf(tenantId: string, partition: Partition): Scope {
  const namespaces = partition.kind === 'namespace' ? [partition.name] : [];
  const userId = partition.kind === 'user' ? partition.userId : null;
  return { tenantId, userId, namespaces, writableNamespaces: namespaces };
}

/** Writes what is derived from the memories of a partition. Nobody else writes to the partition meanwhile. */
export function writeDerived<T>(
  engine: Pick<Engine, 'store'>,
  tenantId: string,
  partition: Partition,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  return maintain(engine, writerScopeOf(tenantId, partition), (tables) => {
    if (partition.kind !== 'user') tables.memories.lock(partition);
    return work(tables);
  });
}
