import type { Fact, FactClaim, FactStep } from '../../ports/facts.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { MemoryWatcher } from '../memories/memory-watcher.js';
import { isSameClaim, toClaim } from './fact-timeline.js';
import { factTarget, nextMoment, recordChange, toMutation } from './record-change.js';
import { settleFacts } from './settle-facts.js';

/**
 * Takes back what followed from forgotten memories. Facts that were derived from them alone are removed, and what such a fact had
 * superseded is current again; what their texts had ended goes on.
 */
export const factWatcher: MemoryWatcher = {
  async removed(tables, memoryIds, now) {
    const [based, steps] = await Promise.all([tables.facts.basedOn(memoryIds), tables.facts.stepsBy(memoryIds)]);
    if (based.length === 0 && steps.length === 0) return [];
    tables.facts.removeEvidence(memoryIds);
    const removed = new Set(memoryIds);
    const gone = based.filter(({ state, evidence }) => !state.isStated && evidence.every((id) => removed.has(id)));
    if (gone.length > 0) tables.facts.remove(gone.map(({ id }) => id));
    const goneIds = new Set(gone.map(({ id }) => id));
    const mutations = gone.map(({ id }) => toRemoval(id));
    mutations.push(
      ...(await takeBack(
        tables,
        steps.filter(({ factId }) => !goneIds.has(factId)),
        now,
      )),
    );
    const groups = new Map(gone.map((fact) => [JSON.stringify([fact.subjectKey, fact.attributeKey]), fact]));
    for (const keys of groups.values()) mutations.push(...(await settle(tables, await tables.facts.ofKeys(keys), now)));
    return mutations;
  },
};

function toRemoval(id: string): Mutation {
  const details = { change: 'removed', reason: 'evidence_removed' };
  return { target: factTarget(id), preEtag: null, postEtag: null, contentHash: null, details };
}

/** Takes back changes of facts that remain, the last one first. What was changed again since stays as it is. */
async function takeBack(tables: Tables, steps: readonly FactStep[], now: Date): Promise<Mutation[]> {
  if (steps.length === 0) return [];
  const undone = new Set(await tables.facts.undone(steps.map(({ seq }) => seq)));
  const mutations: Mutation[] = [];
  for (const step of steps.filter(({ seq }) => !undone.has(seq)).reverse()) {
    const [fact] = await tables.facts.get([step.factId], null);
    const before = (await tables.facts.steps(step.factId)).filter(({ seq }) => seq < step.seq).at(-1);
    if (fact === undefined || before === undefined) continue;
    const claim = without(toClaim(fact.state), toClaim(step.state), toClaim(before.state));
    if (isSameClaim(claim, toClaim(fact.state))) continue;
    const own = { fact, claim, change: 'undone', reason: 'evidence_removed', undoes: step.seq } as const;
    const facts = await tables.facts.ofKeys(fact);
    mutations.push(...recordChange(tables, facts, own, await nextMoment(tables, now)).mutations);
  }
  return mutations;
}

/** Returns a claim without what a step changed in it. */
function without(claim: FactClaim, after: FactClaim, before: FactClaim): FactClaim {
  const keep = <Key extends keyof FactClaim>(key: Key): FactClaim[Key] =>
    String(claim[key]) === String(after[key]) ? before[key] : claim[key];
  return {
    ...{ standing: keep('standing'), validFrom: keep('validFrom'), endsAt: keep('endsAt'), trust: keep('trust') },
    ...{ confidence: keep('confidence'), replaces: keep('replaces'), isStated: keep('isStated') },
    ...{ isUndated: keep('isUndated'), assertedAt: keep('assertedAt') },
  };
}

/** Stores the states that follow from the facts that are left. */
async function settle(tables: Tables, facts: readonly Fact[], now: Date): Promise<Mutation[]> {
  const steps = settleFacts(facts, await nextMoment(tables, now), { reason: 'evidence_removed' });
  tables.facts.addSteps(steps);
  // What the removed facts had caused is gone with them.
  tables.facts.touch(facts.map(({ id }) => id));
  return steps.map(toMutation);
}
