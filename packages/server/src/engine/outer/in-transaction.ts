import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';

/** Memhall's own work on what belongs to a user, or to the tenant (''), in its turn among the user's writers. */
export function inTransaction<T>(
  engine: Engine,
  { tenantId, userId }: ArtifactOwner,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  return engine.store.write({ tenantId, userId }, work);
}
