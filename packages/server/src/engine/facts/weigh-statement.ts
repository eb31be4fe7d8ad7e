import { dayMs } from '@memhall/core';
import type { Fact, FactClaim } from '../../ports/facts.js';
import type { Trust } from '../../ports/memory-origin.js';
import type { StatedFact } from '../../ports/statement-reader.js';
import { isLower } from '../trust.js';
import type { Statement } from './decide-fact.js';
import { areAlternatives, type Comparison, textKey } from './fact-keys.js';
import { toClaim } from './fact-timeline.js';

/** A statement, with who made it and when. */
export interface SaidFact extends StatedFact {
  at: Date;
  trust: Trust;
  /** Of its value; null if it names none. */
  valueKey: string | null;
  /** Whether the attribute holds one value. */
  single: boolean;
  /** Whether the attribute can end without another value. */
  endsAlone: boolean;
  comparison: Comparison;
  /** A second value is more likely another form of the first, or a slip: somebody's name. */
  isLasting: boolean;
}

/** What follows from a statement: something to state, or a change of a fact that it speaks of. */
export type Consequence =
  | { statement: Statement }
  | { fact: Fact; claim: FactClaim; change: 'amended' | 'retracted'; reason: 'said_over' | 'said_never' };

/** A fact with when it was last said; undefined if that is not known to be later than the statement. */
export type KnownFact = Fact & { saidAt?: Date | undefined };

/**
 * Returns what follows from a statement for the facts of its subject and attribute. Nothing but the same value, or the only current
 * one, ends because somebody says that it is over, and only on the word of somebody who is trusted as much. What somebody said later
 * does not end.
 */
export function weighStatement(said: SaidFact, facts: readonly KnownFact[]): Consequence[] {
  switch (said.assertion) {
    case 'holds':
      return toHeld(said, facts);
    case 'held':
      return said.until === undefined || said.until > said.at ? toPast(said, facts) : toOver(said, facts, said.until);
    case 'over':
      return toOver(said, facts, undefined);
    case 'denied':
      return endAll(said, currentOf(said, facts), undefined);
    case 'never':
      return retractAll(
        said,
        facts.filter(({ state }) => state.standing !== 'retracted'),
      );
    case 'cancelled':
      return retractAll(
        said,
        facts.filter(({ state }) => state.standing === 'unconfirmed' || state.validFrom > said.at),
      );
  }
}

function toHeld(said: SaidFact, facts: readonly KnownFact[]): Consequence[] {
  if (said.valueKey === null) return [];
  const others = otherValues(said, facts);
  const { validFrom, ...known } = beginningOf(said, others);
  const endsAt = said.until ?? null;
  if (endsAt !== null && endsAt <= validFrom) return [];
  const contested = others.filter(
    (other) =>
      said.single &&
      (other.state.validTo === null || other.state.validTo > validFrom) &&
      !isPlan(said, validFrom, other),
  );
  const endsLater = contested.some((other) => other.state.validFrom <= validFrom && isSaidLater(said, other));
  const isUnclear =
    said.certainty === 'unclear' ||
    (!said.isAdded && (endsLater || contested.some((other) => !mayReplace(said, other))));
  return [
    { statement: { ...plain(said), validFrom, ...known, endsAt, replaces: said.single && !said.isAdded, isUnclear } },
  ];
}

/** Whether a value was known to begin later when the statement was made: what is true until then has nothing to do with it. */
function isPlan(said: SaidFact, validFrom: Date, other: KnownFact): boolean {
  return other.state.validFrom > said.at && validFrom < other.state.validFrom && !isSaidLater(said, other);
}

/** Whether somebody who is trusted as much said something after the statement was made. */
function isSaidLater({ at, trust }: SaidFact, { saidAt, state }: KnownFact): boolean {
  return saidAt !== undefined && saidAt > at && !isLower(state.trust, trust);
}

/** Whether a statement is meant to take the place of another value. */
function mayReplace(said: SaidFact, other: Fact): boolean {
  const { certainty, isChange, isLasting, comparison, valueKey, quote } = said;
  if (certainty === 'yields') return false;
  if (isChange) return true;
  // "I work at Waymo, which is part of Alphabet."
  const isNamed = ` ${textKey(quote)} `.includes(` ${textKey(other.value)} `);
  // What a less trusted source said is corrected by saying something else.
  const mayDiffer = !isLasting || isLower(other.state.trust, said.trust);
  return mayDiffer && !isNamed && areAlternatives(valueKey ?? '', other.valueKey, comparison);
}

/**
 * Returns when a value began. Who says "since 2021", "in May" or "last week" says that it is true now: if another value was said before
 * without a beginning, that one began earlier (`placeUndated`); if it is known to have begun later, this one begins after it. A date with a
 * year may tell of the past.
 */
function beginningOf(
  said: SaidFact,
  others: readonly Fact[],
): Pick<Statement, 'validFrom' | 'isUndated' | 'assertedAt'> {
  const { when, at, isSince, namesYear, trust } = said;
  if (when === undefined) return { validFrom: at, isUndated: true, assertedAt: at };
  // The day of a plan for "next week" is not known, and it is not true before its day.
  const days = (when.to.getTime() - when.from.getTime()) / dayMs;
  if (when.from > at) {
    const validFrom = days > 1 && days <= 7 ? new Date(when.to.getTime() - dayMs) : when.from;
    return { validFrom, isUndated: false, assertedAt: null };
  }
  const tellsOfNow = isSince || !namesYear;
  const fixed = others.filter(
    ({ state }) =>
      !(tellsOfNow && toClaim(state).isUndated && toClaim(state).validFrom <= at && !isLower(trust, state.trust)),
  );
  const validFrom = dateOf({ ...said, when }, fixed);
  return { validFrom, isUndated: false, assertedAt: tellsOfNow ? at : null };
}

/** Returns when a value began that was said to begin in a time that has come, given the other values whose beginnings are known. */
function dateOf(
  { when, at, isSince, isRelative }: SaidFact & { when: { from: Date; to: Date } },
  others: readonly Fact[],
): Date {
  const begun = others.map(({ state }) => state.validFrom.getTime()).filter((time) => time <= at.getTime());
  const latest = Math.max(...begun);
  if (latest < when.from.getTime()) return when.from;
  if (latest < Math.min(when.to.getTime(), at.getTime()) && !isSince) return new Date(latest + 1);
  return isSince || isRelative ? at : when.from;
}

/** Records that a value was true once. It replaces nothing. */
function toPast(said: SaidFact, facts: readonly KnownFact[], end?: Date): Consequence[] {
  if (said.valueKey === null || currentOf(said, facts).length > 0) return [];
  const { when, at } = said;
  const successor = otherValues(said, facts)
    .filter(({ state }) => said.single && (state.validTo === null || state.validTo > at))
    .map(({ state }) => state.validFrom.getTime());
  const endsAt = end ?? (when === undefined ? new Date(Math.min(at.getTime(), ...successor)) : when.to);
  // When it began is not known. That it was true on the day before it ended is.
  const validFrom = when === undefined || when.from >= endsAt ? new Date(endsAt.getTime() - dayMs) : when.from;
  const isUnclear = said.certainty === 'unclear';
  return [{ statement: { ...plain(said), validFrom, endsAt, replaces: false, isUnclear } }];
}

function toOver(said: SaidFact, facts: readonly KnownFact[], until: Date | undefined): Consequence[] {
  const current = currentOf(said, facts);
  if (said.valueKey === null && current.length !== 1) return [];
  if (current.length > 0) return endAll(said, current, until);
  if (facts.some((fact) => fact.valueKey === said.valueKey && hasEnded(fact, said.at))) return [];
  const end = until ?? (said.when === undefined || said.when.from > said.at ? undefined : said.when.from);
  return toPast({ ...said, when: until === undefined ? undefined : said.when }, facts, end);
}

function hasEnded({ state }: Fact, by: Date): boolean {
  return state.standing === 'held' && state.validTo !== null && state.validTo <= by;
}

function endAll(said: SaidFact, current: readonly KnownFact[], until: Date | undefined): Consequence[] {
  if (!said.endsAlone || said.certainty === 'unclear' || isLower(said.trust, 'agent')) return [];
  return current.flatMap((fact): Consequence[] => {
    if (isLower(said.trust, fact.state.trust) || isSaidLater(said, fact)) return [];
    const claim = { ...toClaim(fact.state), ...endOf(said, fact, until) };
    return [{ fact, claim, change: 'amended', reason: 'said_over' }];
  });
}

/** A fact cannot end before it begins. One that is undated began before it ended. */
function endOf({ when, at, namesYear }: SaidFact, { state }: Fact, until: Date | undefined): Partial<FactClaim> {
  const named = until ?? when?.from;
  if (named !== undefined && named > state.validFrom) return { endsAt: named };
  if (named !== undefined && state.isUndated && !namesYear) {
    return { validFrom: new Date(named.getTime() - dayMs), isUndated: false, assertedAt: null, endsAt: named };
  }
  return { endsAt: at > state.validFrom ? at : new Date(state.validFrom.getTime() + 1) };
}

function retractAll(said: SaidFact, candidates: readonly KnownFact[]): Consequence[] {
  if (said.certainty === 'unclear' || isLower(said.trust, 'agent')) return [];
  return candidates
    .filter((fact) => fact.valueKey === said.valueKey && !isLower(said.trust, fact.state.trust))
    .filter((fact) => !isSaidLater(said, fact))
    .map((fact) => {
      const claim = { ...toClaim(fact.state), standing: 'retracted' as const };
      return { fact, claim, change: 'retracted', reason: 'said_never' };
    });
}

/** Facts that are true when the statement is made: those with its value, or all if it names none. */
function currentOf({ valueKey, at }: SaidFact, facts: readonly KnownFact[]): KnownFact[] {
  return facts.filter(
    ({ state, ...fact }) =>
      state.standing === 'held' &&
      (valueKey === null || fact.valueKey === valueKey) &&
      state.validFrom <= at &&
      (state.validTo === null || state.validTo > at),
  );
}

function otherValues({ valueKey }: SaidFact, facts: readonly KnownFact[]): KnownFact[] {
  return facts.filter(
    ({ state, ...fact }) => state.standing === 'held' && state.replaces && fact.valueKey !== valueKey,
  );
}

function plain({ valueKey, trust }: SaidFact) {
  return { valueKey: valueKey ?? '', trust, confidence: 1, isStated: false, isUndated: false, assertedAt: null };
}
