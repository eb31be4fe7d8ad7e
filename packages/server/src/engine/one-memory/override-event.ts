import type { Memory } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventIdOf, fromEventArtifact } from '../events/event-record.js';
import { writeEvent } from '../events/write-event.js';
import { toContent } from '../memories/memory-input.js';
import { missing } from './find-any.js';

/** Replaces the digest of the event that a memory is derived from. Throws NOT_FOUND if the event is gone. */
export async function overrideEvent(engine: Engine, caller: Caller, memory: Memory, content: string): Promise<void> {
  const name = eventIdOf(memory);
  const artifact = await engine.store.read(scopeOf(caller), (tables) =>
    tables.artifacts.get({ kind: 'event', folder: '', name }),
  );
  if (artifact === undefined) throw missing(memory.id);
  await writeEvent(engine, caller, { ...fromEventArtifact(artifact), digest: toContent(content) });
}
