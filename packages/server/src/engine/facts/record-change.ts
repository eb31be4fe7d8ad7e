import type { Fact, FactChange, FactClaim, FactState, FactStep, NewFact } from '../../ports/facts.js';
import type { Tables } from '../../ports/store.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { isSameState, type TimelineFact, toClaim, toState, toStates } from './fact-timeline.js';

/** A change of one fact. */
export interface OwnChange {
  /** In its former state, or as it will be recorded. */
  fact: Fact | NewFact;
  claim: FactClaim;
  change: FactChange;
  reason: string;
  note?: string | undefined;
  /** Number of the change that is taken back. */
  undoes?: number | undefined;
  /** The memory whose text says so. */
  memoryId?: string | undefined;
}

/** Number and time of a change. */
export interface ChangeMoment {
  seq: number;
  at: Date;
}

/** Returns the moment of the next change. It is later than that of the last one, even if the clock was set back. */
export async function nextMoment(tables: Tables, now: Date): Promise<ChangeMoment> {
  const last = await tables.facts.lastChange();
  if (last === undefined) return { seq: 1, at: now };
  return { seq: last.seq + 1, at: new Date(Math.max(now.getTime(), last.at.getTime() + 1)) };
}

/**
 * Stores a change of a fact, and what follows from it for the other facts of the same subject and attribute (`facts`). Each step has
 * its audit record. Returns the states of all of them.
 */
export function recordChange(
  tables: Tables,
  facts: readonly Fact[],
  { fact, claim, change, reason, note, undoes, memoryId }: OwnChange,
  { seq, at }: ChangeMoment,
): { fact: Fact; states: Map<string, FactState>; mutations: Mutation[] } {
  const others = facts.filter(({ id }) => id !== fact.id);
  const states = toStates([...others.map(toTimelineFact), { ...fact, claim }]);
  const step = (factId: string, state: FactState, how: Pick<FactStep, 'change' | 'reason' | 'note'>): FactStep => ({
    ...{ seq, at, factId, cause: fact.id, undoes: undoes ?? null, memoryId: memoryId ?? null, state },
    ...how,
  });
  const state = states.get(fact.id) ?? toState(claim);
  const steps = [step(fact.id, state, { change, reason, note: note ?? null })];
  for (const other of others) {
    const next = states.get(other.id);
    if (next === undefined || isSameState(next, other.state)) continue;
    steps.push(step(other.id, next, { change: effectOn(other.state, next), reason: 'other_fact', note: null }));
  }
  const isNew = !facts.some(({ id }) => id === fact.id);
  if (isNew) tables.facts.add(fact);
  tables.facts.addSteps(steps);
  const evidence = 'evidence' in fact ? fact.evidence : [];
  return { fact: { ...fact, evidence, state, stateAt: at }, states, mutations: steps.map(toMutation) };
}

export function effectOn(before: FactState, after: FactState): FactChange {
  if (after.isDisputed) return 'disputed';
  if (after.supersededBy === null) return 'restored';
  return before.supersededBy === null ? 'superseded' : 'shifted';
}

export function toTimelineFact(fact: Fact): TimelineFact {
  const { id, valueKey, recordedAt, state } = fact;
  return { id, valueKey, recordedAt, claim: toClaim(state) };
}

/** What happened and why, without the words of the fact. */
export function toMutation({ factId, change, reason, cause, seq, undoes, state }: FactStep): Mutation {
  const hashed = {
    standing: state.standing,
    valid_from: state.validFrom.toISOString(),
    valid_to: state.validTo?.toISOString() ?? null,
    superseded_by: state.supersededBy,
    trust: state.trust,
  };
  return {
    ...{ target: factTarget(factId), preEtag: null, postEtag: null },
    contentHash: contentHash(hashed),
    details: { change, reason, cause, change_seq: seq, ...(undoes === null ? {} : { undoes }) },
  };
}

export function factTarget(id: string): string {
  return `fact/${id}`;
}
