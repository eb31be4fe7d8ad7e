import { systemCaller } from '../engine/caller.js';
import { addCheckpoint } from '../engine/documents/add-checkpoint.js';
import { prepareStored } from '../engine/documents/follow-stored.js';
import { fromArtifact } from '../engine/documents/governed-document.js';
import type { Engine } from '../engine/engine.js';
import { fromEventArtifact, rebuiltOrigin, toEventMemory } from '../engine/events/event-record.js';
import { prepareMemories, storeMemories } from '../engine/memories/remember.js';
import { dropTierIndex } from '../engine/tiers/tier-session.js';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Artifact, ArtifactKey } from '../ports/artifacts.js';
import type { Tables } from '../ports/store.js';

/**
 * Prepares the rows that are derived from artifacts, for changes that come from the outer store and not from a use case:
 * checkpoints and pieces of documents and the search index of events. Returns a function that stores them, and removes those of
 * artifacts that are gone. The index of a tier is rebuilt when the tier is read.
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
  // Rows that others wrote are brought up to date. What follows from them for facts was recorded when they were written.
  const alone = { ...engine, pieceWatchers: [], memoryWatchers: [] };
  const follow = ({ folder, name }: ArtifactKey) => prepareStored(alone, caller, { namespace: folder, path: name });
  const documents = artifacts.filter((artifact) => artifact.kind === 'document');
  const followers = await Promise.all(documents.map(follow));
  const removed = gone.filter(({ kind }) => kind === 'document');
  const removers = await Promise.all(removed.map(follow));
  return async (tables) => {
    for (const [index, document] of documents.entries()) {
      addCheckpoint(tables, document);
      await followers[index]?.(tables, fromArtifact(document));
    }
    await storeMemories(tables, caller, prepared);
    for (const [index, { folder, name }] of removed.entries()) {
      await dropTierIndex(alone, tables, caller, { namespace: folder, path: name }, engine.clock.now());
      await removers[index]?.(tables, undefined);
    }
  };
}
