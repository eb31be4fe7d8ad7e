import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Artifact, ArtifactKey } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import { systemCaller } from '../caller.js';
import { addCheckpoint } from '../documents/add-checkpoint.js';
import type { Engine } from '../engine.js';
import { fromEventArtifact, toEventMemory } from '../events/event-record.js';
import { prepareMemories, storeMemories } from '../memories/remember.js';
import { dropTierIndex } from '../tiers/tier-session.js';

/**
 * Prepares the rows that follow from artifacts, for changes that are not made by their use cases but from the outer
 * store: checkpoints of documents, the search index of events. The index of tiers follows when they are read.
 */
export async function deriveRows(
  engine: Engine,
  { tenantId, userId }: ArtifactOwner,
  artifacts: readonly Artifact[],
  gone: readonly ArtifactKey[] = [],
): Promise<(tables: Tables) => Promise<void>> {
  const caller = systemCaller(tenantId, userId, 'artifacts.restore');
  const events = artifacts
    .filter((artifact) => artifact.kind === 'event')
    .map((artifact) => toEventMemory(fromEventArtifact(artifact), artifact.createdAt));
  const prepared = await prepareMemories(engine, caller, events);
  return async (tables) => {
    for (const artifact of artifacts) if (artifact.kind === 'document') addCheckpoint(tables, artifact);
    await storeMemories(tables, caller, prepared);
    for (const { kind, folder, name } of gone) {
      if (kind === 'document') dropTierIndex(tables, caller, { namespace: folder, path: name });
    }
  };
}
