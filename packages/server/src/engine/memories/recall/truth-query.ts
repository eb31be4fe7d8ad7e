import type { MemoryMark, RowMark } from '../../../ports/memory-marks.js';
import { type Tense, tenseOf } from '../analysis/query-tense.js';
import type { Segment } from '../index/segment.js';
import type { RankInput } from './rank-input.js';
import { changedAt } from './what-changed.js';

const dayMs = 86_400_000;

/** Whose facts count in a recall, and for which time. */
export interface TruthQuery {
  /** Memories of others are not judged by this user's facts, nor the other way round. */
  userId: string;
  /** Milliseconds. */
  asOf: number;
  tense: Tense;
  /** Whether memories that are no longer true are among the results. */
  showsOver: boolean;
  /** Undefined: everything that is known counts. */
  knownAt: Date | undefined;
}

export interface WantedTruth {
  /** Default: `knownAt`, else now. */
  asOf?: Date | undefined;
  /** Answers with what was known then: earlier texts, and nothing that was recorded later. Default: now. */
  knownAt?: Date | undefined;
  includeSuperseded?: boolean | undefined;
}

export function toTruthQuery(
  userId: string,
  { knownAt, asOf = knownAt, includeSuperseded = false }: WantedTruth,
  query: { text: string | undefined; now: number },
): TruthQuery {
  const tense = query.text === undefined ? 'present' : tenseOf(query.text);
  const showsOver = includeSuperseded || tense !== 'present';
  return { userId, asOf: asOf?.getTime() ?? query.now, tense, showsOver, knownAt };
}

/** Returns whether nothing is true any more that a memory says. */
export function isOver({ overFrom }: Pick<MemoryMark | RowMark, 'overFrom'>, asOf: number): boolean {
  return overFrom !== null && overFrom <= asOf;
}

/** Returns whether a row is left out because it is no longer true. */
export function isHidden(segment: Segment, slot: number, { truth }: Pick<RankInput, 'truth'>): boolean {
  if (truth === undefined || truth.showsOver || segment.marks.size === 0) return false;
  const mark = ownMark(segment, slot, truth);
  return mark !== undefined && isOver(mark, truth.asOf);
}

/** Returns what facts add to the score of a row. */
export function truthOf(segment: Segment, slot: number, { truth, changes, plan, weights }: RankInput): number {
  if (truth === undefined || segment.marks.size === 0) return 0;
  const mark = ownMark(segment, slot, truth);
  if (mark === undefined) return 0;
  const disputed = mark.isDisputed ? -weights.disputed : 0;
  if (truth.tense === 'change') return disputed + changeOf(segment, slot, { truth, changes, weights });
  if (isOver(mark, truth.asOf)) {
    const isAskedFor = truth.tense === 'past' && wasTrueWithin(mark, plan?.spans ?? []);
    return disputed + (isAskedFor ? weights.past : -weights.over);
  }
  return disputed - (mark.partlyFrom <= truth.asOf && truth.tense === 'present' ? weights.partly : 0);
}

/** Returns what a row gains for being a part of a change that is asked for: more if the change is recent. 0 if it is not. */
export function changeOf(
  segment: Segment,
  slot: number,
  { truth, changes, weights }: Pick<RankInput, 'truth' | 'changes' | 'weights'>,
): number {
  const mark = truth === undefined || changes === undefined ? undefined : ownMark(segment, slot, truth);
  const at = mark && changes && changedAt(mark, changes);
  if (truth === undefined || at === undefined) return 0;
  return weights.past / (1 + (truth.asOf - at) / (weights.recencyHalfLifeDays * dayMs));
}

function ownMark(segment: Segment, slot: number, { userId }: TruthQuery): RowMark | undefined {
  const mark = segment.markOf(slot);
  return mark?.owner === userId ? mark : undefined;
}

/** A query that names no time asks about any. */
function wasTrueWithin({ trueFrom, overFrom }: RowMark, spans: readonly { from: number; to: number }[]): boolean {
  return spans.length === 0 || spans.some(({ from, to }) => trueFrom < to && overFrom > from);
}
