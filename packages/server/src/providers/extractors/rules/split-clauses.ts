import type { Language } from './languages/language.js';
import { languageOf } from './languages/language-of.js';

/** A part of a message that can be a statement of its own. */
export interface Clause {
  text: string;
  /** Position in the message, in UTF-16 code units. */
  start: number;
  /** Position of its sentence in the message; clauses of a sentence share it. */
  sentence: number;
  /** How it is joined to the previous clause, in lower case; empty at the start of a sentence. */
  joint: string;
  /** It is a question, or part of one. */
  asks: boolean;
  /** The language of its sentence. */
  language: Language;
}

/** A longer sentence is not a fact that someone states in passing. */
export const longestSentence = 600;

const sentencePattern = /[^.!?;\n…。！？]+(?:[.](?=\S)[^.!?;\n…。！？]*)*[.!?;…。！？]*/gu;
const abbreviation =
  /(?:^|\s)(?:mr|mrs|ms|mme|mlle|dr|dra|prof|st|sr|sra|srta|hr|e\.g|i\.e|z\.b|d\.h|p\.ex|p\.ej|vs|bzw|approx|no|nr|jr|\p{Lu})\.$/iu;

/** A day before the name of its month: "am 3. März". */
const ordinal = /(?:^|\s)\d{1,2}\.$/u;
const monthAhead = /^\s*(?:jan|jän|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)/iu;

/** Returns the clauses of a text, in order. Skips sentences that are too long. */
export function splitClauses(text: string): Clause[] {
  const usual = languageOf(text.slice(0, longestSentence));
  return sentencesOf(text).flatMap(({ text: sentence, start }) =>
    sentence.length > longestSentence ? [] : clausesOf(sentence, start, languageOf(sentence, usual)),
  );
}

export function sentencesOf(text: string): { text: string; start: number }[] {
  const sentences: { text: string; start: number }[] = [];
  let pending: { text: string; start: number } | undefined;
  for (const match of text.matchAll(sentencePattern)) {
    const joined: { text: string; start: number } =
      pending === undefined
        ? { text: match[0], start: match.index }
        : { text: text.slice(pending.start, match.index + match[0].length), start: pending.start };
    pending = undefined;
    const end = joined.text.slice(-12);
    const ahead = text.slice(joined.start + joined.text.length, joined.start + joined.text.length + 12);
    const goesOn = abbreviation.test(end) || (ordinal.test(end) && monthAhead.test(ahead));
    if (joined.text.length <= longestSentence && goesOn) pending = joined;
    else sentences.push(joined);
  }
  if (pending !== undefined) sentences.push(pending);
  return sentences.flatMap(({ text: raw, start }) => {
    const trimmed = raw.trim();
    return !/[\p{L}\p{N}]/u.test(trimmed) ? [] : [{ text: trimmed, start: start + raw.indexOf(trimmed) }];
  });
}

function clausesOf(sentence: string, at: number, language: Language): Clause[] {
  const { joints, questionJoints, tagQuestion, dependentOpening } = language.clauses;
  const question = /\?\s*$/.test(sentence);
  const cuts = dependentOpening.test(sentence) ? [] : cutsOf(sentence, joints);
  const asked = question ? cutsOf(sentence, questionJoints) : [];
  const askedFrom = !question || tagQuestion.test(sentence) ? undefined : asked.at(-1)?.to;
  const places = [...cuts, ...asked].sort((a, b) => a.from - b.from || b.to - a.to);
  const clauses: Clause[] = [];
  let start = 0;
  let joint = '';
  for (const { from, to } of [...places, { from: sentence.length, to: sentence.length }]) {
    if (from < start) continue;
    const asks = question && (askedFrom === undefined || start >= askedFrom);
    const text = sentence.slice(start, from).trim();
    if (text !== '') clauses.push({ text, start: at + start, sentence: at, joint, asks, language });
    joint = sentence.slice(from, to).trim().toLowerCase();
    start = to;
  }
  return clauses;
}

function cutsOf(sentence: string, pattern: RegExp): { from: number; to: number }[] {
  return [...sentence.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}
