import { Problem, redact } from '@memhall/core';
import type { Fact, FactStep } from '../../ports/facts.js';
import type { Tables } from '../../ports/store.js';
import { mutate, type Work } from '../audit/mutate.js';
import { isOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { noteKind } from '../memories/new-memory.js';
import { originOfWrite } from '../memories/origin-of-write.js';
import { isLower } from '../trust.js';
import { judge } from './decide-fact.js';
import { isSameClaim, toClaim } from './fact-timeline.js';
import { missingFact } from './read-facts.js';
import { nextMoment, type OwnChange, recordChange, toTimelineFact } from './record-change.js';
import { isOfSubjects } from './settle-facts.js';

/** Retracts a fact: it was never true. What it had superseded is current again. Throws NOT_FOUND or FORBIDDEN. */
export function retractFact(engine: Engine, caller: Caller, id: string, note?: string): Promise<Fact> {
  return changeFact(engine, caller, id, note, ({ fact, checkTrust }) => {
    const claim = toClaim(fact.state);
    if (claim.standing === 'retracted') return undefined;
    checkTrust(fact);
    return { claim: { ...claim, standing: 'retracted' }, change: 'retracted', reason: 'on_request' };
  });
}

/** Rejects a fact that waits for confirmation. Throws NOT_FOUND, FORBIDDEN, or CONFLICT if it does not wait. */
export function rejectFact(engine: Engine, caller: Caller, id: string, note?: string): Promise<Fact> {
  return changeFact(engine, caller, id, note, ({ fact, checkTrust }) => {
    const claim = toClaim(fact.state);
    if (claim.standing === 'retracted') return undefined;
    if (fact.state.standing === 'held') {
      throw new Problem('CONFLICT', 'Only a fact that is unconfirmed can be rejected. Retract this one instead.');
    }
    checkTrust(fact);
    return { claim: { ...claim, standing: 'retracted' }, change: 'rejected', reason: 'on_request' };
  });
}

/**
 * Confirms a fact: from now on it counts as much as if the caller had stated it. Throws NOT_FOUND, CONFLICT if it was retracted, or
 * FORBIDDEN if the caller's own statement would not be believed either.
 */
export function confirmFact(engine: Engine, caller: Caller, id: string, note?: string): Promise<Fact> {
  return changeFact(engine, caller, id, note, ({ fact, facts }) => {
    const claim = toClaim(fact.state);
    if (claim.standing === 'retracted') throw new Problem('CONFLICT', 'The fact was retracted. Undo that first.');
    const { trust } = originOfWrite(caller, { kind: noteKind });
    const next = { ...claim, standing: 'held' as const, isStated: true };
    if (isLower(claim.trust, trust)) next.trust = trust;
    const candidate = { ...toTimelineFact(fact), claim: next };
    if (isLower(trust, 'agent') || judge(candidate, facts.map(toTimelineFact)) !== 'believed') {
      throw new Problem(
        'FORBIDDEN',
        `Trust ${trust} is not enough to confirm this fact: a more trusted one would end.`,
      );
    }
    return { claim: next, change: 'confirmed', reason: 'on_request' };
  });
}

/**
 * Takes back the last change of a fact's status that was not taken back yet, with what followed from it for other facts. If another
 * fact caused the change, the change of that fact is taken back. Throws NOT_FOUND, FORBIDDEN, or CONFLICT if there is nothing to take
 * back or a later change must be taken back first.
 */
export function undoFact(engine: Engine, caller: Caller, id: string, note?: string): Promise<Fact> {
  return changeFact(engine, caller, id, note, async ({ tables, fact, facts, checkTrust }) => {
    const history = await tables.facts.steps(fact.id);
    const last = isLeftToAnother(history.at(-1)) ? undefined : await lastStanding(tables, history);
    const changedId = last?.cause ?? fact.state.supersededBy ?? fact.id;
    const changed = facts.find((one) => one.id === changedId) ?? fact;
    const steps = await tables.facts.steps(changed.id);
    const own = await lastStanding(
      tables,
      steps.filter(({ cause }) => cause === changed.id),
    );
    if (own === undefined) throw new Problem('CONFLICT', 'There is no change of this fact that could be undone.');
    if (isOfSubjects(own) || (last !== undefined && isOfSubjects(last))) {
      throw new Problem('CONFLICT', 'The fact changed because subjects were merged or split. Take that back instead.');
    }
    if (last !== undefined && own.seq !== last.seq) {
      throw new Problem('CONFLICT', `Fact ${changed.id} was changed since. Undo that change first.`, {
        details: { fact_id: changed.id },
      });
    }
    checkTrust(changed);
    const before = steps.filter(({ seq }) => seq < own.seq).at(-1);
    const claim = before ? toClaim(before.state) : { ...toClaim(changed.state), standing: 'retracted' as const };
    return { fact: changed, claim, change: 'undone', reason: 'on_request', undoes: own.seq };
  });
}

interface Situation {
  tables: Tables;
  fact: Fact;
  /** All facts of the same subject and attribute. */
  facts: readonly Fact[];
  /** Throws FORBIDDEN if the caller is less trusted than the fact. */
  checkTrust(fact: Fact): void;
}

/** Without a fact it is the one that was asked for. */
type Change = Omit<OwnChange, 'fact' | 'note'> & { fact?: Fact };

async function changeFact(
  engine: Engine,
  caller: Caller,
  id: string,
  note: string | undefined,
  decide: (situation: Situation) => Promise<Change> | Change | undefined,
): Promise<Fact> {
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const work: Work<Fact> = async (tables, now) => {
    const [fact] = await tables.facts.get([id], null);
    if (fact === undefined) throw missingFact(id);
    const facts = await tables.facts.ofKeys(fact);
    const change = await decide({ tables, fact, facts, checkTrust: (one) => checkTrust(caller, one) });
    const changed = change?.fact ?? fact;
    const isSame =
      change !== undefined && change.undoes === undefined && isSameClaim(change.claim, toClaim(changed.state));
    if (change === undefined || isSame) return { result: fact, mutations: [] };
    const words = note === undefined ? undefined : redact(note, also).text;
    const own = { ...change, fact: changed, note: words };
    const { fact: result, mutations } = recordChange(tables, facts, own, await nextMoment(tables, now));
    if (result.id === id) return { result, mutations };
    const [after] = await tables.facts.get([id], null);
    return { result: after ?? fact, mutations };
  };
  if (!(await isOffTheRecord(engine, caller))) return mutate(engine, caller, work);
  const [fact] = await engine.store.read(scopeOf(caller), (tables) => tables.facts.get([id], null));
  if (fact === undefined) throw missingFact(id);
  return fact;
}

export function checkTrust(caller: Caller, { state }: Fact): void {
  const { trust } = originOfWrite(caller, { kind: noteKind });
  if (!isLower(trust, state.trust)) return;
  throw new Problem('FORBIDDEN', `Trust ${trust} is not enough to change a fact of trust ${state.trust}.`);
}

/** Whether another fact took the place of this one because the one that had it was taken back. */
function isLeftToAnother(step: FactStep | undefined): boolean {
  return step !== undefined && step.undoes !== null && step.cause !== step.factId && step.state.supersededBy !== null;
}

/** Returns the last of the steps that is a change and was not taken back. */
async function lastStanding(tables: Tables, steps: readonly FactStep[]): Promise<FactStep | undefined> {
  const changes = steps.filter(isUndoable);
  const undone = new Set(await tables.facts.undone(changes.map(({ seq }) => seq)));
  return changes.filter(({ seq }) => !undone.has(seq)).at(-1);
}

/** What followed from removed facts or evidence has no change that could be taken back. */
function isUndoable(step: FactStep): boolean {
  const { change, cause, factId, undoes } = step;
  if (isOfSubjects(step)) return undoes === null;
  const isOwn = cause === factId;
  const isEffect = ['superseded', 'restored', 'shifted', 'disputed'].includes(change);
  return undoes === null && isOwn !== isEffect;
}
