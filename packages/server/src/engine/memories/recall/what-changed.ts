import { neverTrue, type RowMark } from '../../../ports/memory-marks.js';
import { asksWhatChanged } from '../analysis/query-tense.js';
import type { TimeSpan } from '../analysis/time-spans.js';
import type { Segment } from '../index/segment.js';
import type { TruthQuery } from './truth-query.js';

/** When something that the user's memories say was over. */
export type ChangeTimes = ReadonlySet<number>;

interface Asked {
  text: string | undefined;
  truth: TruthQuery | undefined;
  /** Times that the query names. */
  spans: readonly TimeSpan[];
}

/** Returns the times of the changes that a query asks for; undefined if it asks for something else. */
export function changeTimesFor({ text, truth, spans }: Asked, segments: readonly Segment[]): ChangeTimes | undefined {
  if (text === undefined || truth?.tense !== 'change' || !asksWhatChanged(withoutSpans(text, spans))) return undefined;
  const times = segments.flatMap(({ marks }) =>
    [...marks.values()].flatMap((mark) => (mark.owner === truth.userId ? endsIn(mark) : [])),
  );
  const isAskedFor = (time: number) =>
    time <= truth.asOf && (spans.length === 0 || spans.some(({ from, to }) => time >= from && time < to));
  return new Set(times.filter(isAskedFor));
}

/** Returns when a memory became untrue, or a part of it; undefined if that is not asked for. */
export function changedAt({ overFrom, partlyFrom }: RowMark, times: ChangeTimes): number | undefined {
  return [overFrom, partlyFrom].find((time) => times.has(time));
}

/** What was never true has not changed. */
function endsIn({ overFrom, partlyFrom }: RowMark): number[] {
  return [overFrom, partlyFrom].filter((time) => !Number.isNaN(time) && time !== neverTrue);
}

function withoutSpans(text: string, spans: readonly TimeSpan[]): string {
  return [...spans]
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
}
