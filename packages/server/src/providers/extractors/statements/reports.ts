import type { ClauseContext } from './clause.js';
import { me, readOpenings } from './subjects.js';
import { toWords } from './words.js';

/** What somebody reports, with how it is to be read. */
interface Report {
  text: string;
  context: ClauseContext;
}

const says = new Set(
  'says said say claims claimed thinks thought believes believed told tells tell wrote writes mentioned announced heard hear read reckons swears insists guesses assumes'.split(
    ' ',
  ),
);
/** Verbs with which the speaker states something again. */
const ownWords = new Set('said say told tell mentioned know remember noted'.split(' '));
const hearsay = new Set('heard hear read thought'.split(' '));
const auxiliaries = new Set('just already have has once also recently had'.split(' '));
const addressed = new Set('me us you him her them everyone people'.split(' '));

const userNamed = String.raw`(?=(?:the )?user\b|(?:the |current )?[\p{L} ]{1,40} of (?:the )?user\b|i\b|i'|my\b|you\b|your\b)`;
const sources = [
  'according to [^,:;]{1,80},',
  'as (?:listed|stated|shown|noted|recorded|reported|mentioned|documented)(?: [^,:;]{1,80})?,',
  "(?:it|this) (?:(?:is|was|has been|'s) )?(?:now |also )?(?:said|known|noted|recorded|reported|confirmed|documented|listed|stated|shown|says|shows)(?: here)? that",
  "(?!(?:i|we|i've|we've|the user|user)\\b)[\\p{L}\\p{N}' -]{2,80}? (?:says?|shows?|states?|lists?|confirms?|indicates?|reports?|notes?|suggests?|reveals?|mentions?)(?: that)?",
];
const sourced = new RegExp(`^(?:${sources.join('|')}) ${userNamed}`, 'iu');

/** Returns what a sentence says about the user on the word of a record or of somebody else: "According to the list, the user …". */
export function readSourced(sentence: string): string | undefined {
  const source = sourced.exec(sentence)?.[0];
  return source === undefined ? undefined : sentence.slice(source.length);
}

/**
 * Reads "Anna told me she moved to Paris". What people say about themselves is taken as said; what they say about the speaker or others
 * is unclear. Returns undefined if nothing is reported.
 */
export function readReport(text: string, context: ClauseContext): Report | undefined {
  const words = toWords(text);
  const [reporter] = readOpenings(words, 0, context).filter(({ attribute }) => attribute === undefined);
  if (reporter === undefined) return undefined;
  let at = reporter.next;
  while (auxiliaries.has(words[at]?.lower ?? '')) at += 1;
  const verb = words[at]?.lower ?? '';
  if (!says.has(verb) && !(reporter.subject === me && ownWords.has(verb))) return undefined;
  at += 1;
  if (addressed.has(words[at]?.lower ?? '') || (reporter.subject === me && /^(?:told|tell)$/.test(verb))) at += 1;
  if (words[at]?.lower === 'that') at += 1;
  const start = words[at]?.start;
  if (start === undefined) return undefined;
  const antecedent = reporter.subject === me ? context.antecedent : reporter.subject;
  const [about] = readOpenings(words, at, { ...context, antecedent, mayBeginWithVerb: false });
  if (about === undefined) return undefined;
  const isOfReporter = about.subject === reporter.subject && !hearsay.has(verb);
  const isUnclear = context.isUnclear || !isOfReporter;
  return { text: text.slice(start), context: { ...context, antecedent, isUnclear, mayBeginWithVerb: false } };
}
