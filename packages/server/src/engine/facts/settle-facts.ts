import type { Fact, FactStep } from '../../ports/facts.js';
import { isSameState, toStates } from './fact-timeline.js';
import { type ChangeMoment, effectOn, toTimelineFact } from './record-change.js';

const subjectReasons = ['subjects_merged', 'subjects_split'] as const;

/** Why facts are settled again, as the history of each says it. */
export interface Cause {
  reason: (typeof subjectReasons)[number] | 'evidence_removed' | 'source_reverted' | 'source_restored';
  /** Number of the change that is taken back. */
  undoes?: number | undefined;
}

/** Whether a fact changed because subjects were merged or split. */
export function isOfSubjects({ reason }: FactStep): boolean {
  return subjectReasons.some((one) => one === reason);
}

/** Returns a step for every fact whose state differs from what follows from all these facts, of one subject and attribute. */
export function settleFacts(facts: readonly Fact[], { seq, at }: ChangeMoment, { reason, undoes }: Cause): FactStep[] {
  const states = toStates(facts.map(toTimelineFact));
  return facts.flatMap((fact): FactStep[] => {
    const state = states.get(fact.id);
    if (state === undefined || isSameState(state, fact.state)) return [];
    const how = { change: effectOn(fact.state, state), reason, note: null };
    return [{ seq, at, factId: fact.id, cause: fact.id, undoes: undoes ?? null, memoryId: null, state, ...how }];
  });
}
