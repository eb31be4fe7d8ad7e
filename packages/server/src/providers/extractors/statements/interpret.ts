import type { TimeRange } from '@memhall/core';
import type { Assertion } from '../../../ports/statement-reader.js';
import type { PatternKind } from './lexicon.js';
import type { Tail } from './tails.js';
import type { Times } from './times.js';
import type { VerbGroup } from './verb-group.js';

/** What a clause says, once its tense, its times and what follows its value are known. Days in local time. */
export interface Interpretation {
  assertion: Assertion;
  when?: TimeRange | undefined;
  until?: TimeRange | undefined;
  isSince?: boolean;
  isUnclear?: boolean;
  isAdded?: boolean;
}

interface Said {
  group: VerbGroup;
  times: Times;
  tail: Tail;
  today: number;
  isNegated: boolean;
}

/** Returns undefined if nothing is stated. */
export function interpret(kind: PatternKind, said: Said): Interpretation | undefined {
  if (kind === 'ending') return interpretEnding(said);
  return kind === 'beginning' || (said.group.isStarting && !said.group.isOver)
    ? interpretBeginning(said)
    : interpretState(said);
}

function interpretState(said: Said): Interpretation | undefined {
  const { group, times, isNegated } = said;
  const end = readEnd(said);
  if (end !== undefined) return end.isOver ? end.interpretation : undefined;
  if (isNegated) return undefined;
  if (group.isFormer) return { assertion: 'over', when: times.until ?? endOf(times.on) };
  if (group.tense === 'past') return interpretPast(times);
  if (group.tense === 'perfect') return interpretPerfect(said);
  return times.isSomeday || times.isLongAgo ? undefined : interpretPresent(said);
}

/** Returns what a state that is not true is said to be; undefined if that is not said. */
function readEnd({
  group,
  times,
  tail,
  today,
  isNegated,
}: Said): { isOver: boolean; interpretation?: Interpretation } | undefined {
  const { on, since, until } = times;
  const isFuture = on !== undefined && on.from > today;
  const isOver = group.isOver || (isNegated && tail.isOver);
  const lies = { isOver: false };
  if (group.isNever) return group.tense === 'future' ? lies : { isOver: true, interpretation: { assertion: 'never' } };
  if (isOver && group.tense === 'future' && !isFuture) return lies;
  if (isOver) return { isOver: true, interpretation: { assertion: 'over', when: on ?? since ?? until } };
  if (!isNegated) return undefined;
  if (group.tense === 'perfect' && since !== undefined) {
    return { isOver: true, interpretation: { assertion: 'over', when: since } };
  }
  return group.tense === 'present' && on === undefined
    ? { isOver: true, interpretation: { assertion: 'denied' } }
    : lies;
}

function interpretPast({ on, since, until }: Times): Interpretation {
  // "I lived in Rome since 2019" is a slip, but what it means is clear.
  if (since !== undefined && until === undefined) return { assertion: 'held', when: since };
  return { assertion: 'held', when: on ?? since, until: until ?? endOf(on) };
}

function interpretPerfect({ group, times: { since, on } }: Said): Interpretation {
  const lasts = since !== undefined || group.isProgressive;
  return lasts ? { assertion: 'holds', when: since, isSince: true } : { assertion: 'held', when: on };
}

function interpretPresent({ group, times, today }: Said): Interpretation {
  const { on, since, until } = times;
  const isFuture = on !== undefined && on.from > today;
  if (group.tense === 'future') return { assertion: 'holds', when: on, isUnclear: !isFuture };
  const isPast = on !== undefined && on.to <= today && times.isAbsolute;
  if (isPast) return { assertion: 'holds', isUnclear: true };
  return { assertion: 'holds', when: since ?? on, until, isSince: since !== undefined, isAdded: until !== undefined };
}

function interpretBeginning({ group, times, today, isNegated }: Said): Interpretation | undefined {
  const { on, since, until, isLongAgo, isSomeday } = times;
  const isFuture = on !== undefined && on.from > today;
  if (group.isFormer || group.isOver) return undefined;
  if (group.tense === 'future' || group.tense === 'present') {
    // "I was in Rome" tells of a visit, "I am in Rome" does not.
    if (group.lemmas.includes('be') && group.tense === 'present') return undefined;
    if (isNegated) return { assertion: 'cancelled' };
    return isSomeday ? undefined : { assertion: 'holds', when: on, until, isUnclear: !isFuture };
  }
  if (isNegated) return undefined;
  if (isFuture) return { assertion: 'holds', isUnclear: true };
  if (isLongAgo) return { assertion: 'held' };
  return { assertion: 'holds', when: on ?? since, until, isAdded: until !== undefined };
}

function interpretEnding({ group, times, today, isNegated }: Said): Interpretation | undefined {
  const { on, since, isLongAgo } = times;
  if (isNegated || group.isFormer || group.isOver || group.isStarting || isLongAgo) return undefined;
  // "I am single" tells of an end by its result.
  if (group.lemmas.includes('be') && group.tense === 'present') return { assertion: 'over', when: since };
  const isPlan = group.tense === 'future' || group.tense === 'present';
  if (isPlan) return on !== undefined && on.from > today ? { assertion: 'over', when: on } : undefined;
  return { assertion: 'over', when: on ?? since };
}

/** "I worked there in 2019" was over when the year was. */
function endOf(range: TimeRange | undefined): TimeRange | undefined {
  return range && { from: range.to, to: range.to };
}
