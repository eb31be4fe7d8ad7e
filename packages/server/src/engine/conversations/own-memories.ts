import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import { documentOfPiece } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import { eventIdOf, eventKind, fromEventArtifact } from '../events/event-record.js';
import { forgetEvent } from '../events/forget-event.js';
import { writeEvent } from '../events/write-event.js';
import { forgetMemories } from '../memories/forget-memories.js';
import { getMemory } from '../memories/get-memory.js';
import { toContent } from '../memories/memory-input.js';
import { updateMemory } from '../memories/update-memory.js';
import { tierKind } from '../tiers/tier-place.js';

/**
 * Replaces the content of one of the caller's own memories, regardless of the surface that created it. Returns
 * undefined if there is none; public memories and memories of namespaces do not count.
 */
export async function overrideOwn(
  engine: Engine,
  caller: Caller,
  id: string,
  content: string,
): Promise<Memory | undefined> {
  const memory = await getOwn(engine, caller, id);
  if (memory === undefined) return undefined;
  if (memory.kind !== eventKind) return updateMemory(engine, caller, id, { content });
  const eventId = eventIdOf(memory);
  const artifact = await engine.store.read(scopeOf(caller), (tables) =>
    tables.artifacts.get({ kind: 'event', folder: '', name: eventId }),
  );
  if (artifact === undefined) return undefined;
  await writeEvent(engine, caller, { ...fromEventArtifact(artifact), digest: toContent(content) });
  return getOwn(engine, caller, id);
}

/** Removes one of the caller's own memories permanently. Returns false if there is none. */
export async function forgetOwn(engine: Engine, caller: Caller, id: string): Promise<boolean> {
  const memory = await getOwn(engine, caller, id);
  if (memory === undefined) return false;
  if (memory.kind === eventKind) return forgetEvent(engine, caller, eventIdOf(memory));
  return (await forgetMemories(engine, caller, [id])).length > 0;
}

/** Excludes pieces of tiers and documents, which change only with what they are made from. */
async function getOwn(engine: Engine, caller: Caller, id: string): Promise<Memory | undefined> {
  const memory = await getMemory(engine, caller, id);
  return memory?.partition.kind === 'user' && !isPiece(memory) ? memory : undefined;
}

function isPiece(memory: Memory): boolean {
  return memory.kind === tierKind || documentOfPiece(memory) !== undefined;
}
