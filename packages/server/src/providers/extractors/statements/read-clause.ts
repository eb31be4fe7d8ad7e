import type { StatedFact } from '../../../ports/statement-reader.js';
import { type ClauseContext, type Reading, timesIn, valueContextOf } from './clause.js';
import { conclude, toOver } from './conclude.js';
import { anyPart, type Part, type Pattern, type PreparedLexicon, valuePart } from './lexicon.js';
import { matchParts } from './match-pattern.js';
import { isOccupation } from './occupations.js';
import { readLiteral } from './read-literal.js';
import { introduced, readChanged, readPossession, readReversed } from './read-possession.js';
import { me, nameAt, type Opening, readOpenings } from './subjects.js';
import { sinceEvent } from './times.js';
import { type ReadValues, readValues, type ValueContext } from './values.js';
import { plainVerb, readVerbGroup, type VerbGroup } from './verb-group.js';
import { toWords, type Word } from './words.js';

/** Words before the subject that change nothing. */
const fillers =
  /^(?:and|then|so|now|back|currently|today|also|well|plus|still|finally|recently|since|because|as|of|in|on|that|nowadays|starting|from|jetzt|nun|inzwischen|maintenant|désormais|ahora|también)$/;
const mostFillers = 10;

/** Returns what a clause states. */
export function readClause(text: string, context: ClauseContext): StatedFact[] {
  const words = toWords(text);
  if (words.length < 2) return [];
  const { opening: from, isPast, isStart } = startOf(text, words, context);
  const openings =
    context.inherited === undefined ? readOpenings(words, from, context) : [{ ...context.inherited, next: from }];
  for (const opening of openings) {
    const stated = readAbout(opening, text, words, context, { isPast, isStart });
    if (stated.length > 0) return stated;
  }
  return readLiteral(text, words, from, context);
}

interface Start {
  /** Describes something that was true long ago. */
  isPast: boolean;
  /** It says since which event something is so. */
  isStart: boolean;
}

/** Returns where the subject is, after a time expression such as "last week". */
function startOf(text: string, words: readonly Word[], context: ClauseContext): Start & { opening: number } {
  const first = words[0] as Word;
  if (!fillers.test(first.lower) && readOpenings(words, 0, context).length > 0 && !/^\d/.test(first.text)) {
    return { opening: 0, isPast: false, isStart: false };
  }
  const { isTime, times } = timesIn(text, context, true);
  const isStart = sinceEvent.test(text);
  let at = isStart ? 3 : 0;
  while (at < words.length && at < mostFillers) {
    const word = words[at] as Word;
    if (!isTime(word) && !fillers.test(word.lower)) break;
    at += 1;
  }
  return { opening: at, isPast: times.isLongAgo && at > 0, isStart };
}

function readAbout(
  opening: Opening,
  text: string,
  words: readonly Word[],
  context: ClauseContext,
  start: Start,
): StatedFact[] {
  const group = readVerbGroup(words, opening.next, context.lexicon) ?? readColon(text, words, opening);
  if (group === undefined) return [];
  const found = timesIn(text, context, group.tense === 'past' || group.tense === 'perfect');
  found.times.isLongAgo ||= start.isPast;
  found.times.isStart ||= start.isStart;
  const values = valueContextOf(words, found.isTime, context);
  const reading: Reading = { ...found, text, context, opening, group, values };
  if (opening.attribute !== undefined) return readPossession(reading, opening.attribute);
  const reversed = readReversed(reading);
  if (reversed.length > 0) return reversed;
  const changed = readChanged(reading);
  if (changed.length > 0) return changed;
  const patterns = group.lemmas.flatMap((lemma) => context.lexicon.patterns.get(lemma) ?? []);
  const stated = patterns.flatMap((pattern) => applyPattern(pattern, reading));
  return withoutRepeats([...stated, ...introduced(reading)]);
}

/** "Status of Apollo: blocked". */
function readColon(text: string, words: readonly Word[], { attribute, next }: Opening): VerbGroup | undefined {
  const isColon = attribute !== undefined && text[words[next - 1]?.end ?? 0] === ':';
  return isColon ? { ...plainVerb, lemmas: ['be'], next } : undefined;
}

function applyPattern(pattern: Pattern, reading: Reading): StatedFact[] {
  const { attribute, kind, isLoose, isNegated, rest } = pattern;
  const { group, values, opening } = reading;
  if (pattern.opening === 'we' && !opening.isPlural) return [];
  if (pattern.opening === 'value' && opening.subject === me) return [];
  if (pattern.opening === 'companion' && opening.companion === undefined) return [];
  if (!fits(pattern, reading)) return [];
  const isCalled = group.lemmas.includes('be') && attribute.shape === 'role' && rest.length === 2;
  const former = formerOf(pattern, group.next, values);
  const match = matchParts(ofSubject(rest, reading), former?.next ?? group.next, attribute, values);
  if (match === undefined || (isCalled && !isOccupation(match.values?.values[0]))) return [];
  const subject = match.subject ?? (pattern.opening === 'value' ? me : opening.subject);
  const name = openingValue(pattern, opening);
  const found = name === undefined ? match.values : { values: [name], isVague: false, next: match.next };
  if (found === undefined && kind !== 'ending') return [];
  const last = { ...(found ?? { values: [], isVague: false }), next: match.next };
  const stated = conclude(reading, {
    ...{ attribute, subject, values: last, kind, isLoose, isNegated },
    isOfValue: name !== undefined,
  });
  const isClear = stated.some(({ assertion, certainty }) => assertion === 'holds' && certainty !== 'unclear');
  return former === undefined || !isClear ? stated : [...toOver(reading, attribute, subject, former), ...stated];
}

/** "I lost my job" is "my husband lost his job", said of him. */
function ofSubject(rest: readonly Part[], { opening, values }: Reading): readonly Part[] {
  const own = values.words.find(({ lower }) => /^(?:his|her|their)$/.test(lower))?.lower;
  return opening.subject === me || own === undefined ? rest : rest.map((part) => (part === 'my' ? own : part));
}

/** "Rex died" is about Rex, and "Edda and I split up" about Edda. */
function openingValue({ opening: kind, attribute, rest }: Pattern, { subject, companion }: Opening) {
  if (kind === 'value') return subject;
  const isOfBoth = kind === 'companion' || (kind === 'we' && attribute.shape === 'name' && !rest.includes(valuePart));
  return isOfBoth ? companion : undefined;
}

/** "I am a nurse at Acme" is about work, "I am a guest at the Ritz" is not. */
function isPost({ attribute, rest }: Pattern, { lemmas }: VerbGroup): boolean {
  return lemmas.includes('be') && attribute.shape === 'organisation' && rest[1] === anyPart;
}

/** Those who learn at a place do not work there. */
const learners = /\b(?:student|undergrad|graduate|pupil)$/;

function isPaidPost(text: string): boolean {
  return isOccupation(text) && !learners.test(text);
}

function wordsUntil(end: string, from: number, { words }: ValueContext): string {
  const rest = words.slice(from).map(({ lower }) => lower);
  return rest.slice(0, Math.max(0, rest.indexOf(end))).join(' ');
}

/** Only things have a status, not people; and only who does something for a living at a place works there. */
function fits(pattern: Pattern, { group, values, opening: { subject, isThing } }: Reading): boolean {
  if (isPost(pattern, group)) return isPaidPost(wordsUntil('at', group.next, values));
  if (!pattern.attribute.ofThings || !group.lemmas.includes('be')) return true;
  return isThing || (subject !== me && !subject.startsWith('my ') && /^(?:Project |\p{Ll})/u.test(subject));
}

/** "from Bergen to Oslo". */
function formerOf({ attribute, kind, rest }: Pattern, at: number, values: ValueContext): ReadValues | undefined {
  if (rest[0] === 'from' || kind === 'ending') return undefined;
  return values.words[at]?.lower === 'from' ? readValues(attribute, at + 1, values) : undefined;
}

/** What began is not over: "I started at Acme" is also a form of "I am at Acme", in the past. */
function withoutRepeats(stated: readonly StatedFact[]): StatedFact[] {
  const known = new Set<string>();
  const keyOf = ({ subject, attribute, value }: StatedFact, assertion: string) =>
    JSON.stringify([subject, attribute, value, assertion]);
  const held = new Set(stated.filter(({ assertion }) => assertion === 'holds').map((one) => keyOf(one, 'holds')));
  return stated.filter((one) => {
    const key = keyOf(one, one.assertion);
    const isOutdone = (one.assertion === 'held' && held.has(keyOf(one, 'holds'))) || isNamedBy(one, stated);
    return !isOutdone && !known.has(key) && known.add(key);
  });
}

/** "A startup called Brightpath" is Brightpath. */
function isNamedBy({ subject, attribute, value }: StatedFact, stated: readonly StatedFact[]): boolean {
  const described = /^.* (?:called|named) (.+)$/u.exec(value ?? '')?.[1];
  return stated.some(
    (other) => other.subject === subject && other.attribute === attribute && other.value === described,
  );
}

/** Whether a name and a verb begin at a place. */
export function isNameWithVerb(words: readonly Word[], from: number, lexicon: PreparedLexicon): boolean {
  const named = nameAt(words, from);
  return named !== undefined && readVerbGroup(words, named.next, lexicon) !== undefined;
}
