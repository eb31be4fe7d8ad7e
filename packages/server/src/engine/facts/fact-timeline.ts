import { dayMs } from '@memhall/core';
import type { FactClaim, FactState } from '../../ports/facts.js';
import { compareTrust, isLower } from '../trust.js';

/** A fact among those of the same subject and attribute. */
export interface TimelineFact {
  id: string;
  valueKey: string;
  recordedAt: Date;
  claim: FactClaim;
}

/**
 * Returns the states of facts of one subject and attribute. They follow from the claims alone, in whatever order these were made:
 * a held fact lasts until its own end, or until the next held fact begins that replaces others or has the same value. A fact that would
 * end a more trusted one is disputed and ends nothing.
 */
export function toStates(claimed: readonly TimelineFact[]): Map<string, FactState> {
  const facts = placeUndated(claimed);
  const states = new Map(facts.map(({ id, claim }) => [id, toState(claim)]));
  const held = facts.filter(({ claim }) => claim.standing === 'held').sort(byBeginning);
  let believed: TimelineFact[] = [];
  for (const level of levelsOf(held)) {
    const disputed = findDisputed(believed, level, states);
    for (const { id, claim } of disputed)
      states.set(id, { ...toState(claim), standing: 'unconfirmed', isDisputed: true });
    const added = new Set(level.filter((fact) => !disputed.has(fact)));
    believed = [...believed, ...added].sort(byBeginning);
    setEnds(believed, added, states);
  }
  return states;
}

/** Returns the state of a claim that no other fact has to do with. */
export function toState(claim: FactClaim): FactState {
  return { ...claim, validTo: claim.endsAt, supersededBy: null, isDisputed: false };
}

/**
 * Returns facts with the times that undated ones get from others: "I live in Bergen" does not say since when. So if somebody says later
 * that another value is true since a time before that, Bergen was true until then, at least the day before.
 */
export function placeUndated(facts: readonly TimelineFact[]): TimelineFact[] {
  const since = facts.filter(({ claim }) => claim.standing === 'held' && claim.replaces && isSinceThen(claim));
  if (since.length === 0) return [...facts];
  return facts.map((fact) => {
    const { claim, valueKey } = fact;
    if (claim.standing !== 'held' || !claim.isUndated) return fact;
    const successors = since.filter(
      (other) =>
        other.valueKey !== valueKey &&
        other.claim.validFrom < claim.validFrom &&
        (other.claim.assertedAt as Date) >= claim.validFrom &&
        !isLower(other.claim.trust, claim.trust),
    );
    if (successors.length === 0) return fact;
    const first = Math.min(...successors.map((other) => other.claim.validFrom.getTime()));
    return { ...fact, claim: { ...claim, validFrom: new Date(first - dayMs) } };
  });
}

/** Whether somebody said that it is true and since when. */
function isSinceThen({ isUndated, assertedAt }: FactClaim): boolean {
  return !isUndated && assertedAt !== null;
}

/** Groups facts by trust, the most trusted first. */
function levelsOf(facts: readonly TimelineFact[]): TimelineFact[][] {
  const levels: TimelineFact[][] = [];
  for (const fact of [...facts].sort((one, other) => compareTrust(other.claim.trust, one.claim.trust))) {
    const trust = levels.at(-1)?.[0]?.claim.trust;
    if (trust === undefined || compareTrust(trust, fact.claim.trust) !== 0) levels.push([fact]);
    else levels.at(-1)?.push(fact);
  }
  return levels;
}

/** Returns those of the less trusted facts that begin while a believed one is valid, and would end it. */
function findDisputed(
  believed: readonly TimelineFact[],
  level: readonly TimelineFact[],
  states: ReadonlyMap<string, FactState>,
): Set<TimelineFact> {
  const lower = new Set(level);
  const disputed = new Set<TimelineFact>();
  let latestEnd = Number.NEGATIVE_INFINITY;
  const latestEnds = new Map<string, number>();
  for (const fact of [...believed, ...level].sort(byBeginning)) {
    const { id, valueKey, claim } = fact;
    const endOfValue = latestEnds.get(valueKey) ?? Number.NEGATIVE_INFINITY;
    if (lower.has(fact)) {
      if (claim.validFrom.getTime() < (claim.replaces ? latestEnd : endOfValue)) disputed.add(fact);
      continue;
    }
    const end = states.get(id)?.validTo?.getTime() ?? Number.POSITIVE_INFINITY;
    latestEnd = Math.max(latestEnd, end);
    latestEnds.set(valueKey, Math.max(endOfValue, end));
  }
  return disputed;
}

/** Lets facts that were added last until the one that takes their place. More trusted facts keep their ends. */
function setEnds(
  facts: readonly TimelineFact[],
  added: ReadonlySet<TimelineFact>,
  states: Map<string, FactState>,
): void {
  let nextReplacing: TimelineFact | undefined;
  const nextOfValue = new Map<string, TimelineFact>();
  for (const fact of facts.toReversed()) {
    const { id, valueKey, claim } = fact;
    const same = nextOfValue.get(valueKey);
    const next = same && nextReplacing ? earlierOf(same, nextReplacing) : (same ?? nextReplacing);
    if (added.has(fact) && next !== undefined && (claim.endsAt === null || claim.endsAt > next.claim.validFrom)) {
      states.set(id, { ...toState(claim), validTo: next.claim.validFrom, supersededBy: next.id });
    }
    if (claim.replaces) nextReplacing = fact;
    nextOfValue.set(valueKey, fact);
  }
}

function earlierOf(one: TimelineFact, other: TimelineFact): TimelineFact {
  return byBeginning(one, other) <= 0 ? one : other;
}

/** Of facts that begin at the same time, the one recorded later is the later one. */
function byBeginning(one: TimelineFact, other: TimelineFact): number {
  return (
    one.claim.validFrom.getTime() - other.claim.validFrom.getTime() ||
    one.recordedAt.getTime() - other.recordedAt.getTime() ||
    (one.id < other.id ? -1 : Number(one.id > other.id))
  );
}

export function isSameState(one: FactState, other: FactState): boolean {
  return (
    isSameClaim(toClaim(one), toClaim(other)) &&
    isSameTime(one.validFrom, other.validFrom) &&
    one.isDisputed === other.isDisputed &&
    isSameTime(one.validTo, other.validTo) &&
    one.supersededBy === other.supersededBy
  );
}

export function isSameClaim(one: FactClaim, other: FactClaim): boolean {
  return (
    one.standing === other.standing &&
    isSameTime(one.validFrom, other.validFrom) &&
    one.isUndated === other.isUndated &&
    isSameTime(one.assertedAt, other.assertedAt) &&
    isSameTime(one.endsAt, other.endsAt) &&
    one.trust === other.trust &&
    one.confidence === other.confidence &&
    one.replaces === other.replaces &&
    one.isStated === other.isStated
  );
}

export function toClaim(state: FactState): FactClaim {
  const { validTo: _, supersededBy: __, isDisputed, ...placed } = state;
  const { isUndated, assertedAt, validFrom } = placed;
  const claim = { ...placed, validFrom: isUndated ? (assertedAt ?? validFrom) : validFrom };
  return isDisputed ? { ...claim, standing: 'held' } : claim;
}

function isSameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime();
}
