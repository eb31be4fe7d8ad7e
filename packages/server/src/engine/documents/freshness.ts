import { formatPointer, getAt, type Json } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { Profile } from './profile.js';

/** A durable fact that should be confirmed before anyone relies on it. */
export interface StaleFact {
  /** JSON Pointer from the root of the document. */
  path: string;
  since: Date;
  /** Its end has passed; the time it was expected to hold for has passed; or it was not verified for too long. */
  reason: 'expired' | 'stale_after' | 'not_verified';
}

const dayMs = 86_400_000;

/** Returns the durable facts of a document that are stale by their own times or by the rules of the profile, in order. */
export function staleFacts(
  { sections, staleAfterDays }: Pick<Profile, 'sections' | 'staleAfterDays'>,
  { content }: Pick<DocumentBody, 'content'>,
  now: Date,
): StaleFact[] {
  const { durable_facts: section } = sections;
  const facts = section && getAt({ content }, section);
  if (section === undefined || facts === undefined || facts === null || typeof facts !== 'object') return [];
  return Object.entries(facts).flatMap(([name, fact]) => {
    const earliest = timesOf(fact, staleAfterDays)
      .filter(({ since }) => since <= now.getTime())
      .sort((one, other) => one.since - other.since)[0];
    if (earliest === undefined) return [];
    return [{ path: formatPointer([...section, name]), since: new Date(earliest.since), reason: earliest.reason }];
  });
}

/** Returns the moments from which a fact is stale. A fact that was verified after its `stale_after` is fresh again. */
function timesOf(fact: Json, staleAfterDays: number | null): { since: number; reason: StaleFact['reason'] }[] {
  const [expiry, staleAfter, verified] = ['expires_at', 'stale_after', 'last_verified_at'].map((name) =>
    timeOf(fact, name),
  );
  return [
    ...(expiry === undefined ? [] : [{ since: expiry, reason: 'expired' as const }]),
    ...(staleAfter === undefined || (verified !== undefined && verified > staleAfter)
      ? []
      : [{ since: staleAfter, reason: 'stale_after' as const }]),
    ...(verified === undefined || staleAfterDays === null
      ? []
      : [{ since: verified + staleAfterDays * dayMs, reason: 'not_verified' as const }]),
  ];
}

function timeOf(fact: Json, name: string): number | undefined {
  if (fact === null || typeof fact !== 'object' || Array.isArray(fact) || !Object.hasOwn(fact, name)) return undefined;
  const text = fact[name];
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
