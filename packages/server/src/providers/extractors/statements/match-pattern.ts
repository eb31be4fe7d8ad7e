import type { ReadableAttribute } from '../../../ports/statement-reader.js';
import { anyPart, type Part, subjectPart, valuePart } from './lexicon.js';
import { type ReadValues, readValues, textOf, type ValueContext } from './values.js';

interface PatternMatch {
  values: ReadValues | undefined;
  /** What stands in place of `{subject}`. */
  subject: string | undefined;
  /** Number of the word after the last part. */
  next: number;
}

const mostAny = 6;
const mostSubject = 4;

/** Matches the parts of a pattern with the words from a place on. */
export function matchParts(
  parts: readonly Part[],
  from: number,
  attribute: ReadableAttribute,
  context: ValueContext,
): PatternMatch | undefined {
  let match: PatternMatch | undefined = { values: undefined, subject: undefined, next: from };
  for (const [place, part] of parts.entries()) {
    if (match === undefined) return undefined;
    match = matchPart(part, parts[place + 1], match, attribute, context);
  }
  return match;
}

function matchPart(
  part: Part,
  after: Part | undefined,
  match: PatternMatch,
  attribute: ReadableAttribute,
  context: ValueContext,
): PatternMatch | undefined {
  if (part === valuePart) return matchValue(after, match, attribute, context);
  if (part === subjectPart || part === anyPart) return matchWords(part, after, match, context);
  const { words } = context;
  const isAside =
    /^(?:here|over|out|back|up|down)$/.test(words[match.next]?.lower ?? '') && words[match.next + 1]?.lower === part;
  const at = isAside ? match.next + 1 : match.next;
  return words[at]?.lower === part ? { ...match, next: at + 1 } : undefined;
}

function matchValue(
  after: Part | undefined,
  match: PatternMatch,
  attribute: ReadableAttribute,
  context: ValueContext,
): PatternMatch | undefined {
  const end = after === undefined ? undefined : placeOf(after, match.next + 1, mostAny, context);
  if (after !== undefined && end === undefined) return undefined;
  const inside = end === undefined ? context : { ...context, words: context.words.slice(0, end) };
  const values = readValues(attribute, match.next, inside);
  if (values === undefined || (end !== undefined && values.next !== end)) return undefined;
  return { ...match, values, next: values.next };
}

function matchWords(
  part: Part,
  after: Part | undefined,
  match: PatternMatch,
  context: ValueContext,
): PatternMatch | undefined {
  const most = part === anyPart ? mostAny : mostSubject;
  const end = after === undefined ? subjectEnd(match.next, context) : placeOf(after, match.next + 1, most, context);
  if (end === undefined || end === match.next) return undefined;
  const text = textOf(context.words.slice(match.next, end)).replace(/^the /i, '');
  return { ...match, subject: part === subjectPart ? text : match.subject, next: end };
}

/** Returns where a word is found, within the next few. */
function placeOf(part: Part, from: number, most: number, { words }: ValueContext): number | undefined {
  for (let at = from; at < words.length && at < from + most; at++) if (words[at]?.lower === part) return at;
  return undefined;
}

/** A subject at the end of a clause ends at a mark or a time expression. */
function subjectEnd(from: number, { words, isTime }: ValueContext): number {
  let at = from;
  while (at < words.length && at < from + mostSubject) {
    const word = words[at];
    if (word === undefined || isTime(word) || /^(?:and|because|since|so|but|now|any|anymore|from)$/.test(word.lower))
      break;
    at += 1;
    if (word.isFollowedByMark) break;
  }
  return at;
}
