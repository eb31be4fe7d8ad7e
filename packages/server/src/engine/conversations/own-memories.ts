import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind, fromEventArtifact } from '../events/event-record.js';
import { forgetEvent } from '../events/forget-event.js';
import { writeEvent } from '../events/write-event.js';
import { forgetMemories } from '../memories/forget-memories.js';
import { getMemory } from '../memories/get-memory.js';
import { toContent } from '../memories/memory-input.js';
import { updateMemory } from '../memories/update-memory.js';
import { tierKind } from '../tiers/tier-place.js';

/**
 * Gives a memory of the caller's own another content, whatever surface it came through. undefined: there is none; public
 * memories and those of namespaces count as such.
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
  const eventId = memory.externalId ?? '';
  const artifact = await engine.store.read(scopeOf(caller), (tables) =>
    tables.artifacts.get({ kind: 'event', folder: '', name: eventId }),
  );
  if (artifact === undefined) return undefined;
  await writeEvent(engine, caller, { ...fromEventArtifact(artifact), digest: toContent(content) });
  return getOwn(engine, caller, id);
}

/** Removes a memory of the caller's own for good. False: there is none. */
export async function forgetOwn(engine: Engine, caller: Caller, id: string): Promise<boolean> {
  const memory = await getOwn(engine, caller, id);
  if (memory === undefined) return false;
  if (memory.kind === eventKind) return forgetEvent(engine, caller, memory.externalId ?? '');
  return (await forgetMemories(engine, caller, [id])).length > 0;
}

/** Pieces of tiers follow from their documents, and change with those alone. */
async function getOwn(engine: Engine, caller: Caller, id: string): Promise<Memory | undefined> {
  const memory = await getMemory(engine, caller, id);
  return memory?.partition.kind === 'user' && memory.kind !== tierKind ? memory : undefined;
}
