import { defuseMemoryMarks, type Json, type OptionalLabel, redact, redactJson } from '@memhall/core';
import type { Trust } from '../../ports/memory-origin.js';
import { findBlocked } from '../guard-models.js';
import type { Origin } from '../one-memory/describe-origin.js';
import { isOrgNamespace } from '../one-memory/namespace-grants.js';
import { textsOf } from '../texts-of.js';
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
export function isHarmless({ engine }: Host, caller: HostCaller, memory: ShownMemory): boolean {
  const { id, origin, from, note = '', propagation } = memory;
  const texts = [from, note, ...textsOf(origin), ...textsOf(propagation)];
  return findBlocked(engine, caller, id, texts) === undefined;
}

/**
 * Removes secrets, which some surfaces store as they come. Marks memories that the whole organisation reads, and makes sure that no
 * other text can look like such a mark.
 */
export function forModel(memory: ShownMemory, also: readonly OptionalLabel[]): ShownMemory {
  const { id, origin, propagation } = memory;
  const text = clean(memory.content, also);
  const { namespace } = origin;
  const isOrg = namespace !== undefined && isOrgNamespace(namespace);
  return {
    ...memory,
    content: isOrg ? `[MEMORY id=${id} scope=ORG ns=${namespace}]: ${text}` : text,
    from: clean(memory.from, also),
    note: memory.note && clean(memory.note, also),
    origin: cleanJson(origin as unknown as Json, also) as unknown as Origin,
    propagation: cleanJson(propagation, also),
  };
}

function clean(text: string, also: readonly OptionalLabel[]): string {
  return defuseMemoryMarks(redact(text, also).text);
}

function cleanJson(value: Json, also: readonly OptionalLabel[]): Json {
  return defuse(redactJson(value, also).value);
}

function defuse(value: Json): Json {
  if (typeof value === 'string') return defuseMemoryMarks(value);
  if (Array.isArray(value)) return value.map(defuse);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [defuseMemoryMarks(name), defuse(member)]));
}
