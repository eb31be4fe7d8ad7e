import { systemCaller } from '../engine/caller.js';
import { addCheckpoint } from '../engine/documents/add-checkpoint.js';
import type { Engine } from '../engine/engine.js';
import { fromEventArtifact, rebuiltOrigin, toEventMemory } from '../engine/events/event-record.js';
import { prepareMemories, storeMemories } from '../engine/memories/remember.js';
import { dropTierIndex } from '../engine/tiers/tier-session.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Artifact, ArtifactKey } from '../ports/artifacts.js';
import type { Tables } from '../ports/store.js';

/**
 * Prepares the rows that are derived from artifacts, for changes that come from the outer store and not from a use case:
 * checkpoints of documents and the search index of events. Returns a function that stores them, and removes those of artifacts
 * that are gone. The index of a tier is rebuilt when the tier is read.
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
    .map((artifact) => {
      const event = fromEventArtifact(artifact);
      return toEventMemory(event, artifact.createdAt, rebuiltOrigin(event));
    });
  const prepared = await prepareMemories(engine, caller, events);
  return async (tables) => {
    for (const artifact of artifacts) if (artifact.kind === 'document') addCheckpoint(tables, artifact);
    await storeMemories(tables, caller, prepared);
    for (const { kind, folder, name } of gone) {
      if (kind === 'document') dropTierIndex(tables, caller, { namespace: folder, path: name });
    }
  };
}
