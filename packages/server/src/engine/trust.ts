import type { SurfaceName, Trust } from '../ports/memory-origin.js';
import type { Caller } from './caller.js';

const ranks: Readonly<Record<Trust, number>> = { user: 3, operator: 3, agent: 2, tool: 1, external: 0 };

export function isLower(trust: Trust, than: Trust): boolean {
  return compareTrust(trust, than) < 0;
}

/** Negative if the first is lower, 0 if they are equal. */
export function compareTrust(one: Trust, other: Trust): number {
  return ranks[one] - ranks[other];
}

/** Returns the lowest level; the first of equal ones. */
export function lowestTrust(first: Trust, ...others: readonly (Trust | undefined)[]): Trust {
  return others.reduce<Trust>(
    (lowest, trust) => (trust !== undefined && isLower(trust, lowest) ? trust : lowest),
    first,
  );
}

/** Who writes, and by which way. */
export interface Writer extends Pick<Caller, 'userId' | 'actor' | 'maxTrust'> {
  surface: SurfaceName;
}

/**
 * Returns the trust of what somebody writes. `speaker` is the role of the one whose words it is, if that is recorded; `tool` for
 * the text of a file. No other place decides this. Callers may ask for a lower level, see `NewMemory.trust`.
 */
export function trustOf(writer: Writer, speaker: string | null): Trust {
  return lowestTrust(trustByTable(writer, speaker), writer.maxTrust);
}

function trustByTable({ surface, userId, actor }: Writer, speaker: string | null): Trust {
  if (surface === 'plugin' || surface === 'import') return 'external';
  if (speaker === 'tool') return 'tool';
  if (surface === 'mcp' || surface === 'files') return 'agent';
  if (speaker !== null) return speaker === 'user' ? 'user' : 'agent';
  if (actor.roles.includes('admin')) return actor.userId === userId ? 'user' : 'operator';
  // Without a user it is Memhall's own work.
  return actor.roles.includes('service') || actor.isService || actor.userId === null ? 'agent' : 'user';
}
