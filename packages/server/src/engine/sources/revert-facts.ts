import type { Fact, FactStep } from '../../ports/facts.js';
import type { SourceFilter } from '../../ports/source-reverts.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import type { Engine } from '../engine.js';
import { toClaim } from '../facts/fact-timeline.js';
import { factTarget, nextMoment, recordChange, toMutation } from '../facts/record-change.js';
import { type Cause, settleFacts } from '../facts/settle-facts.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { surfaceOf } from '../operation-surface.js';
import type { RevertCounts } from './revert-counts.js';

interface RevertingFacts {
  filter: SourceFilter;
  revertId: string;
  /** Memories that are removed. */
  memoryIds: readonly string[];
}

/**
 * Removes facts of the transaction's user that only the source stated or gave evidence for, takes back its changes of others, and keeps
 * everything for an undo. What they had superseded is current again.
 */
export async function revertFacts(
  engine: Engine,
  tables: Tables,
  { filter, revertId, memoryIds }: RevertingFacts,
  now: Date,
): Promise<{ counts: Partial<RevertCounts>; mutations: Mutation[] }> {
  const { surface } = filter;
  const changes = (await tables.sourceReverts.factChanges(filter)).filter(
    ({ operation }) => surface === undefined || surfaceOf(operation) === surface,
  );
  const based = await tables.facts.basedOn(memoryIds);
  const changed = await tables.facts.get([...new Set(changes.map(({ factId }) => factId))], null);
  const ended = await tables.facts.stepsBy(memoryIds);
  const ids = [...new Set([...[...based, ...changed].map(({ id }) => id), ...ended.map(({ factId }) => factId)])];
  if (ids.length === 0) return { counts: {}, mutations: [] };
  const [before, followed] = [await tables.facts.lastChange(), await tables.sourceReverts.endedBy(ids)];
  tables.sourceReverts.keepFacts(revertId, ids, now);
  const mutations = await tellRemoved(engine, tables, memoryIds, now);
  const bySource = new Set(changes.map(({ factId, seq }) => `${factId}/${seq}`));
  // What followed from a text has the author of the text, not that of the request that stored it.
  const removed = new Set(memoryIds);
  const isBySource = ({ factId, seq, memoryId }: FactStep) =>
    bySource.has(`${factId}/${seq}`) && (memoryId === null || removed.has(memoryId));
  for (const { id } of changed) mutations.push(...(await takeBack(tables, id, isBySource, now)));
  const after = await tables.facts.lastChange();
  tables.sourceReverts.keepFactChanges(revertId, { after: before?.seq ?? 0, upTo: after?.seq ?? 0 }, now);
  const left = new Set((await tables.facts.get(ids, null)).map(({ id }) => id));
  const isGone = (id: string) => ids.includes(id) && !left.has(id);
  const restored = new Set([
    ...followed.filter(({ id, by }) => isGone(by) && !isGone(id)).map(({ id }) => factTarget(id)),
    ...mutations.filter(({ details }) => details?.change === 'restored').map(({ target }) => target),
  ]);
  return { counts: { facts: ids.length - left.size, restored: restored.size }, mutations };
}

/** Removes a fact that nobody else stands for; else goes back to what others said of it last. */
async function takeBack(
  tables: Tables,
  id: string,
  isBySource: (step: FactStep) => boolean,
  now: Date,
): Promise<Mutation[]> {
  const [fact] = await tables.facts.get([id], null);
  if (fact === undefined) return [];
  const own = (await tables.facts.steps(id)).filter(
    ({ cause, factId, reason }) => cause === factId && !settled.has(reason),
  );
  const byOthers = own.filter((step) => !isBySource(step));
  const isStatedByOthers = byOthers.some(({ state }) => state.isStated);
  if (fact.evidence.length === 0 && !isStatedByOthers) return remove(tables, fact, now);
  const [last, lastOfOthers] = [own.at(-1), byOthers.at(-1)];
  if (last === undefined || lastOfOthers === undefined || last === lastOfOthers) return [];
  const change = { fact, claim: toClaim(lastOfOthers.state), change: 'undone' as const, reason: 'source_reverted' };
  return recordChange(tables, await tables.facts.ofKeys(fact), change, await nextMoment(tables, now)).mutations;
}

/** Steps of a fact that follow from others, although it is named as their cause. */
const settled = new Set<string>([
  'evidence_removed',
  'subjects_merged',
  'subjects_split',
  'source_reverted',
  'source_restored',
]);

async function remove(tables: Tables, fact: Fact, now: Date): Promise<Mutation[]> {
  tables.facts.remove([fact.id]);
  const details = { change: 'removed', reason: 'source_reverted' };
  const mutation = { target: factTarget(fact.id), preEtag: null, postEtag: null, contentHash: null, details };
  return [mutation, ...(await settleGroup(tables, fact, now, 'source_reverted'))];
}

/** Stores the states that follow from the facts that are there. */
export async function settleGroup(
  tables: Tables,
  keys: Pick<Fact, 'subjectKey' | 'attributeKey'>,
  now: Date,
  reason: Cause['reason'],
): Promise<Mutation[]> {
  const facts = await tables.facts.ofKeys(keys);
  const steps = settleFacts(facts, await nextMoment(tables, now), { reason });
  tables.facts.addSteps(steps);
  tables.facts.touch(facts.map(({ id }) => id));
  return steps.map(toMutation);
}
