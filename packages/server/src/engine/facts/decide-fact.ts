import type { FactChange, FactClaim } from '../../ports/facts.js';
import { isLower } from '../trust.js';
import { isSameClaim, placeUndated, type TimelineFact, toStates } from './fact-timeline.js';

/** What somebody says about a subject and an attribute. */
export interface Statement extends Omit<FactClaim, 'standing'> {
  valueKey: string;
  /** It is not clear whether it is meant as it is written, or whether it replaces something. */
  isUnclear?: boolean;
}

/** Why a statement has the standing it has. */
export type Verdict =
  | 'believed'
  /** What tools and outside sources say alone is not believed. */
  | 'needs_confirmation'
  /** It would end what a more trusted source said. */
  | 'lower_trust'
  | 'unclear';

/** What to do about a statement: record a new fact, or change one that says the same. */
export interface Decision {
  /** The fact that says the same; undefined for a new fact. */
  factId: string | undefined;
  change: FactChange;
  reason: Verdict | 'said_again' | 'second_source' | 'new_times';
  claim: FactClaim;
}

/**
 * Decides what becomes of a statement, given the facts of the same subject and attribute. Nothing else can be superseded by it.
 * Retracted facts count as never stated.
 */
export function decideFact(statement: Statement, facts: readonly TimelineFact[]): Decision {
  const same = findSame(statement, facts);
  if (same !== undefined) return restate(statement, same, facts);
  const { valueKey, isUnclear = false, ...stated } = statement;
  const reason = judge({ ...newTimelineFact, valueKey, claim: { ...stated, standing: 'held' } }, facts, isUnclear);
  const standing = reason === 'believed' ? 'held' : 'unconfirmed';
  return { factId: undefined, change: 'recorded', reason, claim: { ...stated, standing } };
}

/** Returns whether a fact may be held, and if not, why. `candidate` has the claim it would have. */
export function judge(candidate: TimelineFact, facts: readonly TimelineFact[], isUnclear = false): Verdict {
  const { trust } = candidate.claim;
  if (isLower(trust, 'agent')) return 'needs_confirmation';
  const others = facts.filter(({ id }) => id !== candidate.id);
  const isDisputed = toStates([...others, candidate]).get(candidate.id)?.isDisputed ?? false;
  if (isDisputed) return 'lower_trust';
  return isUnclear ? 'unclear' : 'believed';
}

/** Stands for a fact that has no id yet. It is recorded after all others. */
const newTimelineFact = { id: '', recordedAt: new Date(8.64e15) };

function restate(statement: Statement, same: TimelineFact, facts: readonly TimelineFact[]): Decision {
  const { id: factId, claim } = same;
  const isHeld = claim.standing === 'held';
  const trust = isLower(claim.trust, statement.trust) ? statement.trust : claim.trust;
  const confidence = Math.max(claim.confidence, statement.confidence);
  const next: FactClaim = {
    ...claim,
    // The source that confirms a fact vouches for it alone: the first one may not have meant it as written.
    ...{ standing: 'held', trust: isHeld ? trust : statement.trust, confidence },
    ...beginningOf(statement.validFrom < claim.validFrom ? statement : claim),
    ...(isSaidAfterEnd(statement, same, facts) && { assertedAt: statement.assertedAt }),
    endsAt: statement.endsAt ?? claim.endsAt,
    isStated: claim.isStated || statement.isStated,
  };
  const verdict = judge({ ...same, claim: next }, facts, statement.isUnclear);
  if (verdict !== 'believed') {
    if (isHeld) return { factId, change: 'restated', reason: 'said_again', claim };
    return { factId, change: 'restated', reason: verdict, claim: { ...claim, trust } };
  }
  if (!isHeld) return { factId, change: 'confirmed', reason: 'second_source', claim: next };
  const hasNewTimes = !isSameClaim({ ...claim, ...beginningOf(next), endsAt: next.endsAt }, claim);
  if (hasNewTimes) return { factId, change: 'amended', reason: 'new_times', claim: next };
  return { factId, change: 'restated', reason: 'said_again', claim: next };
}

/** Whether somebody who is trusted as much says since when a fact is true, after another value took its place. */
function isSaidAfterEnd(
  { isUndated, assertedAt, trust }: Statement,
  same: TimelineFact,
  facts: readonly TimelineFact[],
) {
  if (isUndated || same.claim.isUndated || assertedAt === null || isLower(trust, same.claim.trust)) return false;
  const end = toStates(facts).get(same.id)?.validTo ?? null;
  return end !== null && end <= assertedAt;
}

function beginningOf({ validFrom, isUndated, assertedAt }: Statement | FactClaim) {
  return { validFrom, isUndated, assertedAt };
}

/** Returns the fact that the statement repeats, or says more exactly when it is valid. */
function findSame(statement: Statement, facts: readonly TimelineFact[]): TimelineFact | undefined {
  const isAlike = ({ claim, valueKey }: TimelineFact) =>
    claim.standing !== 'retracted' && valueKey === statement.valueKey;
  if (!facts.some(isAlike)) return undefined;
  const states = toStates(facts);
  const placed = placeUndated(facts);
  const alike = placed.filter(isAlike);
  const covering = alike.filter(({ id, claim }) => {
    const end = states.get(id)?.validTo ?? null;
    return claim.validFrom <= statement.validFrom && (end === null || statement.validFrom < end);
  });
  const later = alike.filter(({ claim }) => beginsEarlier(statement, claim, placed));
  const candidates = [
    ...covering.filter(({ claim }) => statement.endsAt === null || !isLower(statement.trust, claim.trust)),
    ...later.filter(({ claim }) => !isLower(statement.trust, claim.trust)),
  ];
  const same = candidates.find(({ claim }) => claim.standing === 'held') ?? candidates[0];
  return same && facts.find(({ id }) => id === same.id);
}

/** Whether the statement is about a time that leads up to the fact, with no other value in between. */
function beginsEarlier(statement: Statement, claim: FactClaim, facts: readonly TimelineFact[]): boolean {
  const { validFrom, endsAt, valueKey } = statement;
  if (validFrom >= claim.validFrom || (endsAt !== null && endsAt < claim.validFrom)) return false;
  return !facts.some(
    (other) =>
      other.claim.standing === 'held' &&
      other.claim.replaces &&
      other.valueKey !== valueKey &&
      other.claim.validFrom >= validFrom &&
      other.claim.validFrom < claim.validFrom,
  );
}
