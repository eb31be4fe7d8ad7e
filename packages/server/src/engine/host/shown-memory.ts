import type { Json, OptionalLabel } from '@memhall/core';
import type { Trust } from '../../ports/memory-origin.js';
import { findBlockedIn } from '../guard-models.js';
import type { Origin } from '../one-memory/describe-origin.js';
import { isOrgNamespace } from '../one-memory/namespace-grants.js';
import { readLong } from '../read-long.js';
import { textsOf } from '../texts-of.js';
import { cleanMembersTask } from './clean-members.js';
import type { Host, HostCaller } from './host.js';

/** A memory of the engine or of a plugin, for a model. */
export interface ShownMemory {
  id: string;
  kind: string;
  content: string;
  origin: Origin;
  /** The origin in words. */
  from: string;
  /** Whether these are the user's own words or data, and not somebody else's. */
  isOwn: boolean;
  trust: Trust;
  occurredAt: Date;
  createdAt: Date;
  expiresAt: Date | null;
  isPinned: boolean;
  propagation: Json | null;
  /** False if nothing is true any more that it says. */
  isCurrent: boolean;
  /** What the user's facts say about it; undefined if nothing against it. */
  note?: string | undefined;
  /** Only set if there was a query. */
  score?: number | undefined;
}

/** More than any model reads at once; also limits the time needed to scan a plugin's results. */
const mostCharacters = 400_000;

/** Returns the memories that fit into one response together. Earlier ones take their place first. */
export function takeFitting(memories: readonly ShownMemory[]): ShownMemory[] {
  let room = mostCharacters;
  return memories.filter(({ content, propagation }) => {
    const length = content.length + (propagation === null ? 0 : JSON.stringify(propagation).length);
    if (length > room) return false;
    room -= length;
    return true;
  });
}

/** Returns whether a model may read what is shown with a memory. The content was judged when the memory was found. */
export async function isHarmless({ engine }: Host, caller: HostCaller, memory: ShownMemory): Promise<boolean> {
  const { id, origin, from, note = '', propagation } = memory;
  const texts = [from, note, ...textsOf(origin), ...textsOf(propagation)];
  return (await findBlockedIn(engine, caller, id, texts)) === undefined;
}

/**
 * Removes secrets, which some surfaces store as they come. Marks memories that the whole organisation reads, and makes sure that no
 * other text can look like such a mark.
 */
export async function forModel(
  { engine }: Host,
  memory: ShownMemory,
  also: readonly OptionalLabel[],
): Promise<ShownMemory> {
  const { namespace } = memory.origin;
  const mark =
    namespace !== undefined && isOrgNamespace(namespace) ? `[MEMORY id=${memory.id} scope=ORG ns=${namespace}]: ` : '';
  const { content, from, note, origin, propagation } = memory;
  const length = content.length + (propagation === null ? 0 : JSON.stringify(propagation).length);
  const shown = await readLong(
    engine,
    cleanMembersTask,
    { shown: { content, from, note, origin, propagation }, also },
    length,
  );
  return { ...memory, ...shown, content: `${mark}${shown.content}` };
}
