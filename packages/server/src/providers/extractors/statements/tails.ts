import { textOf } from './values.js';
import { isCapitalised, type Word } from './words.js';

/** What the words after a value say about the statement. */
export interface Tail {
  isAdded: boolean;
  /** "anymore". */
  isOver: boolean;
  /** Words that nobody knows the meaning of follow, so the statement may be limited by them. */
  isUnclear: boolean;
  /** "for my kids". */
  isFor?: boolean;
  /** "at Acme": names where. */
  isPlaced?: boolean;
  /** "with my children", "which you sent me": only what is described so is meant, if something is over. */
  isDescribed?: boolean;
  /** "from Bergen", "not Bergen", "instead of Bergen", "no longer in Bergen": names what is over. */
  formerAt?: number;
  /** "not Bergen": nobody says that this was ever true. */
  isContrast?: boolean;
}

/** Words after a value that do not change what is stated. */
const harmless = set(`
  again already finally actually btw lol though tho anyway please thanks instead officially permanently yet fyi haha indeed myself ourselves
  then here still once twice often thank god sadly luckily happily honestly obviously proudly project team app
`);
/** What follows one of these explains the statement, or goes on to something else. */
const explains = set(
  'because since so as with which where who of and that after although thanks due thereby making meaning plus',
);
/** Of these, what describes the value and not the statement. */
const describes = set('with as which where who of that plus');
const jokes = /\b(?:joke|joking|kidding|not really)\b/i;
const limits =
  /^(?:but|when|whenever|if|while|during|except|only|unless|part|half|sometimes|before|until|at|on|in|for|under|or)$/;

/** Reads what is left of a clause. Words of time expressions are left out. */
export function readTail(words: readonly Word[], from: number, isTime: (word: Word) => boolean): Tail {
  const tail: Tail = { isAdded: false, isOver: false, isUnclear: false };
  let at = from;
  while (at < words.length) {
    const word = words[at] as Word;
    const known = isTime(word) ? { length: 1 } : phraseAt(words, at);
    if (known !== undefined) {
      tail.isAdded ||= known.isAdded ?? false;
      tail.isOver ||= known.isOver ?? false;
      tail.isUnclear ||= known.isUnclear ?? false;
      tail.isFor ||= known.isFor ?? false;
      at += known.length;
    } else if (aboutPlace.test(word.lower) && isNameAt(words, at + 1)) {
      at = skipName(words, at + 1);
      tail.isPlaced = true;
    } else {
      return { ...tail, ...restAt(words, at) };
    }
  }
  return tail;
}

/** Reads the words that no phrase explains, up to the end. */
function restAt(words: readonly Word[], at: number): Partial<Tail> {
  const word = words[at]?.lower ?? '';
  const former = formerAt(words, at);
  if (former !== undefined) return { formerAt: former, isContrast: word === 'not' };
  if (explains.has(word) && !isLimited(words, at)) return { isDescribed: describes.has(word) };
  if (isReason(words, at) || (isAfterMark(words, at) && aside.test(textOf(words.slice(at))))) return {};
  if (isAfterMark(words, at) && circumstance.test(word)) return { isDescribed: true };
  return isNearby(words, at) ? {} : { isUnclear: true };
}

/** "…, wish me luck". */
const aside = /^(?:wish me luck|at (?:long )?last|as you (?:may |might )?know|believe it or not)$/i;

/** "…, sharing with friends". */
const circumstance =
  /^(?!(?:speaking|kidding|joking|pretending|assuming|supposing|depending|excluding|barring|pending|starting|beginning|ending|finishing)$)\p{L}{2,}ing$/u;

/** "…, too many evenings". */
function isReason(words: readonly Word[], at: number): boolean {
  return words[at]?.lower === 'too' && words[at]?.isFollowedByMark === false && isAfterMark(words, at);
}

function isAfterMark(words: readonly Word[], at: number): boolean {
  return words[at - 1]?.isFollowedByMark === true;
}

interface KnownPhrase extends Partial<Tail> {
  length: number;
}

/** "near the river", "not far from the station". */
function isNearby(words: readonly Word[], at: number): boolean {
  const text = textOf(words.slice(at));
  return /^(?:near|beside|opposite|close to|next to|right by|just outside|not far from) (?:the|a|an|my|our|\p{Lu}\S*)(?: [^\s,]+){0,3}$/u.test(
    text,
  );
}

const aboutPlace = /^(?:in|near|outside|to|at|for)$/;
/** Pairs of words after a value, and what they say. */
const pairs: [first: RegExp, second: RegExp, phrase: KnownPhrase][] = [
  [/^as$/, /^well$/, { length: 2, isAdded: true }],
  [/^any$/, /^(?:more|longer)$/, { length: 2, isOver: true }],
  [/^a$/, /^lot$/, { length: 2 }],
  [/^after$/, /^all$/, { length: 2 }],
  [/^by$/, /^now$/, { length: 2 }],
  [/^(?:so|very)$/, /^much$/, { length: 2 }],
  [/^for$/, /^(?:work|good|university|love|uni|college|school|ever)$/, { length: 2 }],
  [/^for$/, /^now$/, { length: 2, isUnclear: true }],
  [/^for$/, /^(?:my|her|his|our|their)$/, { length: 3, isFor: true }],
];

/** "in the audit team". */
const unit = /^(?:team|department|division|group|office|branch|unit)$/;

function phraseAt(words: readonly Word[], at: number): KnownPhrase | undefined {
  const word = words[at]?.lower ?? '';
  const next = words[at + 1]?.lower ?? '';
  if (word === 'too' && !isReason(words, at)) return { length: 1, isAdded: true };
  if (word === 'anymore') return { length: 1, isOver: true };
  if (word === 'instead' && next === 'of') return undefined;
  if (harmless.has(word)) return { length: 1 };
  if (/^(?:in|on)$/.test(word) && next === 'the' && unit.test(words[at + 3]?.lower ?? '')) return { length: 4 };
  return pairs.find(([first, second]) => first.test(word) && second.test(next))?.[2];
}

/** Returns where a value is named that is over: "no longer in Bergen", "not Bergen", "from Bergen", "instead of Bergen". */
function formerAt(words: readonly Word[], at: number): number | undefined {
  const word = words[at]?.lower ?? '';
  const next = words[at + 1]?.lower ?? '';
  const before = /^(?:in|at|with|for|a|an|the)$/;
  if (word === 'no' && next === 'longer') return skip(words, at + 2, before);
  if (word === 'nicht' && next === 'mehr') return skip(words, at + 2, /^(?:in|bei|als)$/);
  if (word === 'not') return skip(words, at + 1, before);
  if (word === 'from') return at + 1;
  return /^(?:instead|rather)$/.test(word) && /^(?:of|than)$/.test(next) ? at + 2 : undefined;
}

/** Whether a part after "and" limits what was said after all: "and only on weekends". */
function isLimited(words: readonly Word[], at: number): boolean {
  return limits.test(words[at + 1]?.lower ?? '') || jokes.test(textOf(words.slice(at)));
}

function isNameAt(words: readonly Word[], at: number): boolean {
  const word = words[at];
  return word !== undefined && isCapitalised(word);
}

function skipName(words: readonly Word[], from: number): number {
  let at = from;
  while (isNameAt(words, at)) at += 1;
  return at;
}

function skip(words: readonly Word[], at: number, pattern: RegExp): number {
  return pattern.test(words[at]?.lower ?? '') ? at + 1 : at;
}

function set(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
