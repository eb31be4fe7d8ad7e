import type { ReadableAttribute } from '../../../ports/statement-reader.js';
import { nameAt } from './subjects.js';
import { isCapitalised, type Word } from './words.js';

/** Where a value is read. */
export interface ValueContext {
  words: readonly Word[];
  /** Whether a word is part of a time expression. */
  isTime(word: Word): boolean;
  /** Words that are nobody's name. */
  noNames: ReadonlySet<string>;
  /** The speaker writes no capitals, so names cannot be recognized by them. */
  lowerCaseWriter: boolean;
}

export interface ReadValues {
  values: string[];
  /** It is not named: "a bakery". */
  isVague: boolean;
  /** Number of the word after them. */
  next: number;
}

const articles = set('a an the my our some');
const particles = set('of de da do di del la le van von der den el al the upon saint san st');
/** Where a free text moves on to something else. */
const stops = set(`
  because since so but when whenever while if which who though although until till anymore longer now instead btw lol too unless whereas
  where however still again yet from please thanks anyways anyway than especially
`);
const roleStops = set(
  'at for in with and or on from of to by since because but so who which now currently based working',
);
const noValues = set(`
  it this that these those says said according apparently you your yours him her them how what where one myself yourself something anything everything nothing
  someone anyone either neither both none being doing to able not sure here there home me us
  back again anytime asap maybe kein keine keinen keinem nicht nichts pas rien nada
`);
const places = set('bosnia trinidad antigua brighton newfoundland tyne saint são sao');
const mostWords = 8;
const mostValues = 12;

/** Reads one value, or a list if the attribute holds many. Returns undefined if what is there is no value of the attribute. */
export function readValues(attribute: ReadableAttribute, at: number, context: ValueContext): ReadValues | undefined {
  if (attribute.values.length > 0 && attribute.shape !== 'name') return readList(attribute, at, context, knownValue);
  switch (attribute.shape) {
    case 'number':
      return readNumber(at, context);
    case 'date':
      return readDate(at, context);
    case 'code':
      return readCode(at, context);
    case 'role':
      return readRole(at, context);
    case 'text':
      return readOne(at, context, (from) => freeText(from, context, attribute));
    case 'thing':
      return readList(attribute, at, context, freeText);
    default:
      return attribute.single
        ? readOne(at, context, (from) => properName(from, context, attribute))
        : readList(attribute, at, context, knownOrName);
  }
}

interface OneValue {
  value: string;
  isVague: boolean;
  next: number;
}

type ReadOne = (at: number, context: ValueContext, attribute: ReadableAttribute) => OneValue | undefined;

function readOne(at: number, _: ValueContext, read: (at: number) => OneValue | undefined): ReadValues | undefined {
  const found = read(at);
  return found && { values: [found.value], isVague: found.isVague, next: found.next };
}

/** "tea, coffee and jazz". */
function readList(
  attribute: ReadableAttribute,
  at: number,
  context: ValueContext,
  read: ReadOne,
): ReadValues | undefined {
  const values: string[] = [];
  let isVague = false;
  let next = at;
  for (let from = at; values.length < mostValues; ) {
    const found = read(from, context, attribute);
    if (found === undefined) break;
    values.push(found.value);
    isVague ||= found.isVague;
    next = found.next;
    if (attribute.single) break;
    const joint = context.words[next];
    const isJoined = joint?.lower === 'and' || joint?.lower === 'or' || joint?.lower === '&';
    if (!isJoined && !context.words[next - 1]?.isFollowedByMark) break;
    from = isJoined ? next + 1 : next;
    if (['also', 'both'].includes(context.words[from]?.lower ?? '')) from += 1;
  }
  return values.length === 0 ? undefined : { values, isVague, next };
}

const knownOrName: ReadOne = (at, context, attribute) =>
  knownValue(at, context, attribute) ?? properName(at, context, attribute);

function knownValue(at: number, { words }: ValueContext, { values }: ReadableAttribute): OneValue | undefined {
  const from = skipAmount(at, words);
  for (let length = 3; length > 0; length--) {
    const part = words.slice(from, from + length);
    const text = part.map(({ lower }) => lower).join(' ');
    if (part.length === length && values.includes(text))
      return { value: textOf(part), isVague: false, next: from + length };
  }
  return undefined;
}

/** "some Polish", "a bit of Polish". */
function skipAmount(at: number, words: readonly Word[]): number {
  if (!articles.has(words[at]?.lower ?? '')) return at;
  if (!/^(?:little|bit)$/.test(words[at + 1]?.lower ?? '')) return at + 1;
  return words[at + 2]?.lower === 'of' ? at + 3 : at + 2;
}

function properName(at: number, context: ValueContext, attribute: ReadableAttribute): OneValue | undefined {
  const { words, lowerCaseWriter } = context;
  const first = words[at]?.lower ?? '';
  const from = first === 'the' ? at + 1 : at;
  const end = endOfName(from, context, attribute);
  if (end > from) {
    if (attribute.shape === 'name' && !isName(from, context)) return undefined;
    // "I live in Excel these days", "I moved to Marketing".
    if (attribute.shape === 'place' && isNoPlace(words.slice(from, end), context)) return undefined;
    return { value: textOf(words.slice(from, end)), isVague: false, next: end };
  }
  const start = words[from]?.lower ?? '';
  if (lowerCaseWriter && !noValues.has(start) && !articles.has(start)) return shortText(from, context);
  return attribute.shape === 'organisation' && articles.has(first) ? vague(at + 1, context) : undefined;
}

/** Returns the number of the word after the last one that is written like a name. */
function endOfName(from: number, { words, isTime }: ValueContext, { shape, single }: ReadableAttribute): number {
  let end = from;
  for (let at = from; at < from + mostWords; at++) {
    const word = words[at];
    if (word === undefined || isTime(word)) break;
    const isNewPart = at > from && words[at - 1]?.isFollowedByMark === true;
    const isCapital = isCapitalised(word);
    // "Portland, Oregon" is one place.
    if (isNewPart && !(shape === 'place' && single && isCapital)) break;
    if (isCapital) end = at + 1;
    else if (at === from || !isInside(word, words[at + 1], words[at - 1], shape)) break;
  }
  return end;
}

const departments = set(
  'sales marketing engineering finance product operations hr legal support design research accounting it procurement logistics',
);

const noPlaces = set('team project room floor seat desk gate platform plan level class group channel');

function isNoPlace(name: readonly Word[], { noNames }: ValueContext): boolean {
  const [first, ...others] = name.map(({ lower }) => lower);
  if (first === undefined || [first, ...others].some((word) => /\d/.test(word) || noPlaces.has(word))) return true;
  return noNames.has(first) || (others.length === 0 && departments.has(first));
}

const beliefs = set('catholic jewish muslim christian hindu buddhist asian european african mormon protestant god');

function isName(from: number, { words, noNames }: ValueContext): boolean {
  const first = words[from]?.lower ?? '';
  return nameAt(words, from) !== undefined && !noNames.has(first) && !beliefs.has(first);
}

/** Whether a word in small letters is part of a name: "Bank of America", "Bosnia and Herzegovina", "Marks and Spencer". */
function isInside(word: Word, next: Word | undefined, previous: Word | undefined, shape: string): boolean {
  if (next === undefined || !isCapitalised(next)) return false;
  if (particles.has(word.lower) || word.lower === "'s") return true;
  if (word.lower !== 'and' && word.lower !== '&') return false;
  return shape === 'organisation' || (shape === 'place' && places.has(previous?.lower ?? ''));
}

/** A name in small letters. */
function shortText(from: number, { words, isTime }: ValueContext): OneValue | undefined {
  let next = from;
  while (next < from + 3) {
    const word = words[next];
    if (word === undefined || isTime(word) || stops.has(word.lower) || roleStops.has(word.lower)) break;
    next += 1;
    if (word.isFollowedByMark) break;
  }
  return next === from ? undefined : { value: textOf(words.slice(from, next)), isVague: false, next };
}

function vague(from: number, context: ValueContext): OneValue | undefined {
  const found = shortText(from, context);
  return found && { ...found, isVague: true };
}

function readRole(at: number, context: ValueContext): ReadValues | undefined {
  const { words, isTime } = context;
  const from = /^(?:an?|the)$/.test(words[at]?.lower ?? '') ? at + 1 : at;
  let next = from;
  while (next < from + 6) {
    const word = words[next];
    if (word === undefined || isTime(word) || roleStops.has(word.lower)) break;
    next += 1;
    if (word.isFollowedByMark) break;
  }
  if (next === from || noValues.has(words[from]?.lower ?? '')) return undefined;
  return { values: [textOf(words.slice(from, next))], isVague: false, next };
}

function freeText(at: number, context: ValueContext, { single }: ReadableAttribute): OneValue | undefined {
  const { words } = context;
  let from = at;
  while (/^(?:the|a|an|to|really|very|both|all)$/.test(words[from]?.lower ?? '')) from += 1;
  let next = from;
  while (next < from + mostWords + 1 && !endsText(next, next > from, single, context)) {
    next += 1;
    if (words[next - 1]?.isFollowedByMark) break;
  }
  if (next === from || next > from + mostWords || noValues.has(words[from]?.lower ?? '')) return undefined;
  return { value: textOf(words.slice(from, next)), isVague: false, next };
}

/** Pairs of words with which a text moves on to something else. */
const stopPairs: [first: RegExp, second: RegExp][] = [
  [/^as$/, /^well$/],
  [/^after$/, /^all$/],
  [/^any$/, /^(?:more|longer)$/],
  [/^(?:a|so|very)$/, /^(?:lot|much)$/],
];

function endsText(at: number, isInside: boolean, single: boolean, { words, isTime }: ValueContext): boolean {
  const word = words[at];
  if (word === undefined || isTime(word) || stops.has(word.lower)) return true;
  const next = words[at + 1]?.lower ?? '';
  if (stopPairs.some(([first, second]) => first.test(word.lower) && second.test(next))) return true;
  if (!isInside || (word.lower !== 'and' && word.lower !== 'or')) return false;
  return !single || /^(?:i|my|we|it|that|he|she)$/.test(next);
}

function readNumber(at: number, { words }: ValueContext): ReadValues | undefined {
  const word = words[at];
  return word !== undefined && /^\d{1,3}$/.test(word.text)
    ? { values: [word.text], isVague: false, next: at + 1 }
    : undefined;
}

/** A phone number or an address: something with digits or an at sign. */
function readCode(at: number, { words }: ValueContext): ReadValues | undefined {
  let next = at;
  while (next < words.length && next < at + mostWords && /\d|@/.test(words[next]?.text ?? '')) next += 1;
  return next === at ? undefined : { values: [textOf(words.slice(at, next))], isVague: false, next };
}

/** A day of the calendar. */
function readDate(at: number, { words, isTime }: ValueContext): ReadValues | undefined {
  const from = words[at]?.lower === 'the' || words[at]?.lower === 'on' ? at + 1 : at;
  let next = from;
  while (next < words.length && isTime(words[next] as Word)) next += 1;
  const text = textOf(words.slice(from, next));
  return /\d/.test(text) ? { values: [text], isVague: false, next } : undefined;
}

export function textOf(words: readonly Word[]): string {
  return words.map(({ lower, text }, index) => (lower === "'s" || index === 0 ? text : ` ${text}`)).join('');
}

function set(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
