import type { Utterance } from '../../../ports/statement-reader.js';
import type { PreparedLexicon } from './lexicon.js';
import type { Opening, SubjectContext } from './subjects.js';
import { readTimes, type Times } from './times.js';
import type { ValueContext } from './values.js';
import type { VerbGroup } from './verb-group.js';
import type { Word } from './words.js';

export interface ClauseContext extends SubjectContext {
  utterance: Utterance;
  lexicon: PreparedLexicon;
  /** Midnight of the day it was said, as if the speaker's time zone were UTC. */
  today: number;
  lowerCaseWriter: boolean;
  /** The speaker is not sure, or passes on what somebody else said. */
  isUnclear: boolean;
  /** It is said to correct something. */
  corrects: boolean;
  /** Whom the clause before was about, if this one names nobody. */
  inherited: Opening | undefined;
}

/** What is known of a clause before a pattern is matched. */
export interface Reading extends ClauseTimes {
  text: string;
  context: ClauseContext;
  opening: Opening;
  group: VerbGroup;
  values: ValueContext;
}

interface ClauseTimes {
  times: Times;
  isTime: (word: Word) => boolean;
}

export function timesIn(text: string, { today }: ClauseContext, isPast: boolean): ClauseTimes {
  const times = readTimes(text, today, isPast);
  return { times, isTime: ({ start, end }) => times.spans.some((span) => start < span.end && end > span.start) };
}

export function valueContextOf(
  words: readonly Word[],
  isTime: (word: Word) => boolean,
  { lowerCaseWriter, lexicon: { noNames } }: ClauseContext,
): ValueContext {
  return { words, isTime, lowerCaseWriter, noNames };
}
