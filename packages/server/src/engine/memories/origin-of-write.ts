import type { Memory } from '../../ports/memories.js';
import type { MemoryOrigin, Trust } from '../../ports/memory-origin.js';
import type { Caller } from '../caller.js';
import { surfaceOf } from '../operation-surface.js';
import { isLower, lowestTrust, trustOf } from '../trust.js';
import { writerOf } from '../writer-of.js';
import { kindOfMemory, type MemoryKind } from './kinds.js';

const ofNotes = 'tier' satisfies MemoryKind;

/** What a writer says about the origin of a text. */
export interface GivenOrigin {
  /** Lowers the trust of the text; a higher level than the writer's own has no effect. */
  trust?: Trust | undefined;
  /** The origin of what the text is derived from. It takes the place of the writer's. */
  derivedFrom?: MemoryOrigin | undefined;
}

type Spoken = Pick<Memory, 'kind'> & { role?: string | null | undefined };

/** Returns the origin of a text that the caller writes. */
export function originOfWrite(caller: Caller, spoken: Spoken, { trust, derivedFrom }: GivenOrigin = {}): MemoryOrigin {
  if (derivedFrom !== undefined) {
    return { ...derivedFrom, trust: lowestTrust(derivedFrom.trust, caller.maxTrust, trust) };
  }
  const surface = surfaceOf(caller.operation);
  return {
    surface,
    author: authorOf(caller, spoken),
    trust: lowestTrust(trustOf({ ...caller, surface }, speakerOf(spoken)), trust),
  };
}

/**
 * Returns the origin of a memory after a text was written over it. New text has the origin of its writer. The same text keeps
 * the origin of the more trusted writer: an agent or a file that repeats what a user said takes nothing away from it, and a
 * user who repeats what an agent said vouches for it.
 */
export function originAfterWrite(existing: Memory, written: Memory): MemoryOrigin {
  const isSameText = existing.contentHash === written.contentHash;
  return toOrigin(isSameText && !isLower(existing.trust, written.trust) ? existing : written);
}

/** Returns the origin of what is derived from memories: that of the last one, with the lowest trust of all. */
export function originOfEvidence(evidence: readonly MemoryOrigin[]): MemoryOrigin | undefined {
  const last = evidence.at(-1);
  return last && { ...toOrigin(last), trust: lowestTrust(last.trust, ...evidence.map(({ trust }) => trust)) };
}

export function toOrigin({ surface, author, trust }: MemoryOrigin): MemoryOrigin {
  return { surface, author, trust };
}

/** Memhall's own work has no author. What a service passes on as the user's words is the user's, and so are notes, which it keeps for the user. */
function authorOf({ actor, userId }: Caller, spoken: Spoken): string {
  if (actor.userId === null && actor.serviceId === 'memhall') return '';
  const isOfUser = speakerOf(spoken) === 'user' || spoken.kind === ofNotes;
  return isOfUser && actor.userId !== null ? actor.userId : writerOf(actor, userId);
}

/** Returns the role of the one whose words the text is; null for the writer's own words. */
function speakerOf({ kind, role }: Spoken): string | null {
  const speaker = kindOfMemory(kind)?.speaker ?? 'role';
  if (speaker === 'role') return role ?? null;
  return speaker === 'file' ? 'tool' : null;
}
