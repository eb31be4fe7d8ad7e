import { type Memory, partitionKey } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { tenseOf } from '../memories/analysis/query-tense.js';
import { toFilter } from '../memories/memory-query.js';
import { indexAt, type RecallInput, withinTime } from '../memories/recall/search-scope.js';
import { partitionsOf } from '../memories/scope-partitions.js';
import { isDerived, statementOf } from './copies.js';
import type { Judged } from './judge.js';

/**
 * Settles the order of what was found, best first. What is hidden gives its place to what is true instead, even if that does not match
 * the query itself. What is over and shown anyway follows what is true instead, unless the query asks about the past. What a more trusted
 * statement contradicts goes behind that statement; if that was not found, it is put in front. If the query asks what changed, what took the
 * place of something is put in front of it.
 */
export async function settleOrder(
  engine: Engine,
  reader: Caller,
  query: RecallInput,
  found: readonly Judged[],
): Promise<readonly Judged[]> {
  const settled = withCopies(found);
  const hidden = settled.filter(({ isHidden }) => isHidden);
  const shown = settled.filter(({ isHidden }) => !isHidden);
  const asksAboutNow = query.text !== undefined && tenseOf(query.text) === 'present';
  const over = asksAboutNow ? shown.filter(({ successors = [] }) => successors.length > 0) : [];
  const replaced = [...hidden, ...over];
  if (replaced.length === 0 && !shown.some((one) => isDisputed(one) || one.isChange)) return shown;
  const present = new Set(shown.map(({ memory }) => memory.id));
  const missing = [...replaced.map(successorsOf), ...shown.map(rivalsOf), ...shown.map(changedTo)]
    .filter((ids) => !ids.some((id) => present.has(id)))
    .flatMap((ids) => ids.slice(0, 1));
  const added = await readWanted(engine, reader, query, [...new Set(missing)]);
  return behindRivals(withChanges(withSuccessors(shown, replaced, added), added), added);
}

/** Hides what only repeats a hidden statement: the digest of a chat has no facts of its own. */
function withCopies(found: readonly Judged[]): readonly Judged[] {
  const hidden = new Map(found.flatMap((one) => (one.isHidden ? [[copyKey(one.memory), one] as const] : [])));
  if (hidden.size === 0) return found;
  return found.map((one) => {
    const original = isDerived(one.memory) && one.mark === undefined ? hidden.get(copyKey(one.memory)) : undefined;
    // What was said again later has a later digest.
    if (original === undefined || one.memory.occurredAt > original.memory.occurredAt) return one;
    return { ...one, isHidden: true, ...(original.successors && { successors: original.successors }) };
  });
}

function copyKey({ author, content }: Memory): string {
  return JSON.stringify([author, statementOf(content)]);
}

function isDisputed({ truth }: Judged): boolean {
  return truth !== undefined && truth.disputes.length > 0;
}

/** Newest first. */
function successorsOf({ successors = [] }: Judged): string[] {
  return [...successors].reverse();
}

/** Memories that say what contradicts this one; of those that say the same, any will do. */
function rivalsOf({ memory, truth }: Judged): string[] {
  return (truth?.disputes ?? []).flatMap(({ memoryIds }) => memoryIds).filter((id) => id !== memory.id);
}

/** Gives what is true instead of a memory that is over the score of that memory, if its own is lower. */
function withSuccessors(
  shown: readonly Judged[],
  replaced: readonly Judged[],
  added: ReadonlyMap<string, Memory>,
): Judged[] {
  const results = [...shown];
  for (const one of replaced) {
    const ids = successorsOf(one);
    const place = results.findIndex(({ memory }) => ids.includes(memory.id));
    const known = results[place] ?? toJudged(ids, added);
    if (known === undefined) continue;
    if (place !== -1) results.splice(place, 1);
    const standsFor = [...(known.standsFor ?? []), ...(one.isHidden ? [one.memory.id] : [])];
    const raised = one.score > known.score ? withScoreOf(known, one) : known;
    const next = { ...raised, ...(standsFor.length > 0 && { standsFor }) };
    const after = results.findIndex(({ score, memory }) => score < next.score || memory.id === one.memory.id);
    const best = after === -1 ? results.length : after;
    results.splice(place === -1 ? best : Math.min(place, best), 0, next);
  }
  return results;
}

/** Puts a memory that replaces another directly before it, if changes were asked for and recall did not find the new one. */
function withChanges(found: readonly Judged[], added: ReadonlyMap<string, Memory>): Judged[] {
  const present = new Set(found.map(({ memory }) => memory.id));
  return found.flatMap((one) => {
    const next = toJudged(changedTo(one), added);
    if (next === undefined || present.has(next.memory.id)) return [one];
    present.add(next.memory.id);
    return [withScoreOf(next, one), one];
  });
}

function changedTo({ isChange, truth }: Judged): string[] {
  return isChange && truth?.supersededBy !== undefined ? [truth.supersededBy] : [];
}

function toJudged(ids: readonly string[], added: ReadonlyMap<string, Memory>): Judged | undefined {
  const [memory] = ids.flatMap((id) => added.get(id) ?? []);
  return memory && { memory, score: 0 };
}

function withScoreOf({ explanation: _, reranked: __, ...known }: Judged, other: Judged): Judged {
  const { score, explanation, reranked, memory } = other;
  return { ...known, score, scoredAs: memory.id, ...(explanation && { explanation }), ...(reranked && { reranked }) };
}

/**
 * Puts sessions in which everything that is shown is contradicted behind those that say what contradicts it, and does the same within each
 * session.
 */
export function settleSessions<Session extends { best: readonly Judged[]; score: number }>(
  sessions: readonly Session[],
): Session[] {
  const settled = sessions.map((session) => ({ ...session, best: behindRivals(session.best, new Map()) }));
  const places = new Map(settled.flatMap(({ best }, place) => best.map(({ memory }) => [memory.id, place] as const)));
  const ordered = settled.map((session, place) => {
    const isMoved = session.best.length > 0 && session.best.every(isDisputed);
    const rivals = isMoved ? session.best.flatMap(rivalsOf).flatMap((id) => places.get(id) ?? []) : [];
    return { session, isMoved, key: placeBehind(place, rivals) };
  });
  ordered.sort((a, b) => a.key - b.key);
  let least = Number.POSITIVE_INFINITY;
  return ordered.map(({ session, isMoved }) => {
    const score = isMoved ? Math.min(session.score, least) : session.score;
    least = Math.min(least, score);
    return { ...session, score };
  });
}

function placeBehind(place: number, others: readonly number[]): number {
  return Math.max(place, ...others.map((other) => other + 0.5));
}

/** Places are compared by `key`; the order of equal ones stays. */
function behindRivals(found: readonly Judged[], added: ReadonlyMap<string, Memory>): Judged[] {
  if (!found.some(isDisputed)) return [...found];
  const places = new Map(found.map(({ memory }, place) => [memory.id, place]));
  const ordered = found.flatMap((one, place) => {
    const rivals = rivalsOf(one);
    const known = rivals.flatMap((id) => places.get(id) ?? []);
    if (known.length > 0) return [{ one, key: placeBehind(place, known) }];
    const [beside] = rivals.flatMap((id) => added.get(id) ?? []);
    if (beside === undefined) return [{ one, key: place }];
    places.set(beside.id, place);
    return [withScoreOf({ memory: beside, score: 0 }, one), one].map((each) => ({ one: each, key: place }));
  });
  ordered.sort((a, b) => a.key - b.key);
  return withFallingScores(ordered.map(({ one }) => one));
}

/** A memory that was moved back does not keep the score for which it would have been first. */
function withFallingScores(found: readonly Judged[]): Judged[] {
  let least = Number.POSITIVE_INFINITY;
  return found.map((one) => {
    const score = isDisputed(one) ? Math.min(one.score, least) : one.score;
    least = Math.min(least, score);
    return { ...one, score };
  });
}

/** Returns the memories that the query could have found. */
async function readWanted(
  engine: Engine,
  reader: Caller,
  { scope, filter, partitionFilters, truth }: RecallInput,
  ids: readonly string[],
): Promise<Map<string, Memory>> {
  if (ids.length === 0) return new Map();
  const searched = new Set(partitionsOf(reader, scope).map(partitionKey));
  const wanted = withinTime(toFilter(filter), truth?.asOf);
  const now = engine.clock.now();
  return engine.store.read(scopeOf(reader), async (tables) => {
    const index = indexAt(tables, truth?.knownAt, now.getTime());
    const found = await Promise.all(
      (await tables.memories.getMany(ids, now)).map(async ({ partition, id }) => {
        const key = partitionKey(partition);
        if (!searched.has(key)) return undefined;
        const row = await index.locate(partition, id, [{ ...wanted, ...partitionFilters?.get(key) }]);
        if (row?.matches[0] !== true) return undefined;
        return (await index.fetch(partition, [row.seq])).get(row.seq)?.memory;
      }),
    );
    return new Map(found.flatMap((memory) => (memory === undefined ? [] : [[memory.id, memory] as const])));
  });
}
