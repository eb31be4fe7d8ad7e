import { Problem } from '@memhall/core';
import type { Embedder } from '../../../ports/embedder.js';
import { type Partition, partitionKey } from '../../../ports/memories.js';
import type { Caller } from '../../caller.js';
import type { Engine } from '../../engine.js';
import { searchText } from '../analysis/to-search-form.js';
import { embedContents } from '../embed-contents.js';
import { fetchRows } from './fetch-ranked.js';
import { type Ranked, rank } from './rank.js';
import type { RankInput } from './rank-input.js';
import { type RecallInput, type SearchedScope, searchScope } from './search-scope.js';
import { timeStage } from './time-stage.js';

/** What is not among them is rarely found, and embedding more would take many seconds. */
const candidates = 100;

/** By `partitionKey`, then by `seq`. */
type Cosines = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Ranks as if the compared embedder were in use. The best memories by words and by meaning get a vector of it for this answer alone;
 * others are found by their words only.
 */
export async function searchCompared(
  engine: Engine,
  caller: Caller,
  input: RecallInput,
): Promise<SearchedScope<Ranked[]> | undefined> {
  const embedder = comparedEmbedder(engine);
  if (input.arms === 'lexical') return searchScope(engine, caller, input, rank);
  const first = { ...input, arms: 'both' as const, limit: candidates };
  const found = await searchScope(engine, caller, first, (rows) => ({
    best: rank(rows),
    asked: rows.plan === undefined ? [] : [rows.plan.embedText, ...rows.plan.sentences],
  }));
  if (found === undefined) return undefined;
  const cosines = await timeStage(engine, 'embed', () => compare(engine, caller, embedder, found, input.signal));
  return searchScope(engine, caller, input, (rows, partitions) => rank(withCosines(rows, partitions, cosines)));
}

function comparedEmbedder({ comparedEmbedder: embedder }: Engine): Embedder {
  if (embedder === null) {
    throw new Problem(
      'INVALID_REQUEST',
      'There is no embedder to compare with: leave out `embedder`, or set MEMHALL_COMPARED_EMBEDDER.',
    );
  }
  if (!embedder.isReady) throw new Problem('UNAVAILABLE', 'The embedder to compare with is being loaded. Retry soon.');
  return embedder;
}

/** Of a message, the nearest of its sentences has its share, as in `mixSentences`. */
async function compare(
  engine: Engine,
  caller: Caller,
  embedder: Embedder,
  found: SearchedScope<{ best: readonly Ranked[]; asked: readonly string[] }>,
  signal: AbortSignal | undefined,
): Promise<Cosines> {
  const { best, asked } = found.ranked;
  const rows = await fetchRows(engine, caller, found, best);
  const places = rows.flatMap((bySeq, number) => [...bySeq].map(([seq, { memory }]) => ({ number, seq, memory })));
  const [[whole, ...sentences], vectors] = await Promise.all([
    embedder.embed(asked, { purpose: 'query', signal }),
    embedContents(
      embedder,
      places.map(({ memory }) => searchText(memory)),
      signal,
    ),
  ]);
  const cosines = new Map(found.partitions.map((partition) => [partitionKey(partition), new Map<number, number>()]));
  for (const [index, { number, seq }] of places.entries()) {
    const vector = vectors[index];
    const partition = found.partitions[number];
    if (whole === undefined || vector === undefined || partition === undefined) continue;
    const share = sentences.length === 0 ? 0 : engine.recallWeights.sentence;
    const nearest = Math.max(...sentences.map((sentence) => cosine(sentence, vector)), -1);
    cosines.get(partitionKey(partition))?.set(seq, (1 - share) * cosine(whole, vector) + share * nearest);
  }
  return cosines;
}

/** Sessions are not compared: most of their vectors are of the embedder in use. */
function withCosines(rows: RankInput, partitions: readonly Partition[], known: Cosines): RankInput {
  const { parts, bases, allowed } = rows.scope;
  const cosines = new Float32Array(allowed.length).fill(Number.NaN);
  for (const [number, { segment }] of parts.entries()) {
    const partition = partitions[number];
    const bySeq = partition && known.get(partitionKey(partition));
    const base = bases[number] ?? 0;
    for (let slot = 0; slot < segment.size; slot++) {
      cosines[base + slot] = bySeq?.get(segment.seqs[slot] ?? -1) ?? Number.NaN;
    }
  }
  return { ...rows, cosines, allRead: false };
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0);
}
