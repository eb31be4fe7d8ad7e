import { fromLocalMs } from '@memhall/core';
import type { Certainty, ReadableAttribute, StatedFact, Utterance } from '../../../ports/statement-reader.js';
import { type Interpretation, interpret } from './interpret.js';
import { anyPart, type LiteralPattern, type Pattern, type PatternKind, type PreparedLexicon } from './lexicon.js';
import { matchParts } from './match-pattern.js';
import { isOccupation } from './occupations.js';
import { me, nameAt, type Opening, readOpenings, type SubjectContext } from './subjects.js';
import { readTail, type Tail } from './tails.js';
import { noTimes, readTimes, type Times } from './times.js';
import { type ReadValues, readValues, type ValueContext } from './values.js';
import { plainVerb, readVerbGroup, type VerbGroup } from './verb-group.js';
import { toWords, type Word } from './words.js';

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

/** Words before the subject that change nothing. */
const fillers =
  /^(?:and|then|so|now|back|currently|today|also|well|plus|still|finally|recently|since|because|as|of|in|on|that|nowadays|starting|from|jetzt|nun|inzwischen|maintenant|désormais|ahora|también)$/;
const mostFillers = 10;

/** Returns what a clause states. */
export function readClause(text: string, context: ClauseContext): StatedFact[] {
  const words = toWords(text);
  if (words.length < 2) return [];
  const { opening: from, isPast } = startOf(text, words, context);
  const openings =
    context.inherited === undefined ? readOpenings(words, from, context) : [{ ...context.inherited, next: from }];
  for (const opening of openings) {
    const stated = readAbout(opening, text, words, context, isPast);
    if (stated.length > 0) return stated;
  }
  return readLiteral(text, words, from, context);
}

/** Returns where the subject is, after a time expression such as "last week". */
function startOf(text: string, words: readonly Word[], context: ClauseContext): { opening: number; isPast: boolean } {
  const first = words[0] as Word;
  if (!fillers.test(first.lower) && readOpenings(words, 0, context).length > 0 && !/^\d/.test(first.text)) {
    return { opening: 0, isPast: false };
  }
  const { isTime, times } = timesIn(text, context, true);
  let at = 0;
  while (at < words.length && at < mostFillers) {
    const word = words[at] as Word;
    if (!isTime(word) && !fillers.test(word.lower)) break;
    at += 1;
  }
  return { opening: at, isPast: times.isLongAgo && at > 0 };
}

interface ClauseTimes {
  times: Times;
  isTime: (word: Word) => boolean;
}

function timesIn(text: string, { today }: ClauseContext, isPast: boolean): ClauseTimes {
  const times = readTimes(text, today, isPast);
  return { times, isTime: ({ start, end }) => times.spans.some((span) => start < span.end && end > span.start) };
}

/** What is known of a clause before a pattern is matched. */
interface Reading extends ClauseTimes {
  text: string;
  context: ClauseContext;
  opening: Opening;
  group: VerbGroup;
  values: ValueContext;
}

function readAbout(
  opening: Opening,
  text: string,
  words: readonly Word[],
  context: ClauseContext,
  isLongAgo: boolean,
): StatedFact[] {
  const group = readVerbGroup(words, opening.next, context.lexicon) ?? readColon(text, words, opening);
  if (group === undefined) return [];
  const found = timesIn(text, context, group.tense === 'past' || group.tense === 'perfect');
  found.times.isLongAgo ||= isLongAgo;
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

function valueContextOf(
  words: readonly Word[],
  isTime: (word: Word) => boolean,
  { lowerCaseWriter, lexicon: { noNames } }: ClauseContext,
): ValueContext {
  return { words, isTime, lowerCaseWriter, noNames };
}

/** "My phone number is …", "Apollo's owner changed to …". */
function readPossession(reading: Reading, attribute: ReadableAttribute): StatedFact[] {
  const { group, values, opening } = reading;
  const isChange = group.lemmas.includes('change') || group.lemmas.includes('become');
  if (!isChange && !group.lemmas.includes('be')) return [];
  const next = values.words[group.next]?.lower ?? '';
  const at = (isChange && next === 'to') || /^(?:called|named)$/.test(next) ? group.next + 1 : group.next;
  const found = readValues(attribute, at, values);
  if (found === undefined) return [];
  return conclude(reading, {
    ...{ attribute, subject: opening.subject, values: found, kind: isChange ? 'beginning' : 'state' },
    ...{ isLoose: false, isNegated: false },
  });
}

/** "Eva is my manager." */
function readReversed(reading: Reading): StatedFact[] {
  const { group, values, opening, context } = reading;
  if (!group.lemmas.includes('be') || opening.subject === me) return [];
  const [owned] = readOpenings(values.words, group.next, context).filter(({ attribute }) => attribute !== undefined);
  const attribute = owned?.attribute;
  if (owned === undefined || attribute === undefined || attribute.shape !== 'name') return [];
  const found = { values: [opening.subject], isVague: false, next: owned.next };
  return conclude(reading, {
    attribute,
    subject: owned.subject,
    values: found,
    kind: 'state',
    isLoose: false,
    isNegated: false,
  });
}

/** "I changed my phone number to …". */
function readChanged(reading: Reading): StatedFact[] {
  const { group, values, context } = reading;
  if (!group.lemmas.includes('change')) return [];
  const [owned] = readOpenings(values.words, group.next, context).filter(({ attribute }) => attribute !== undefined);
  const attribute = owned?.attribute;
  if (owned === undefined || attribute === undefined || attribute.ofThings) return [];
  if (values.words[owned.next]?.lower !== 'to') return [];
  const found = readValues(attribute, owned.next + 1, values);
  if (found === undefined) return [];
  const { subject } = owned;
  return conclude(reading, {
    attribute,
    subject,
    values: found,
    kind: 'beginning',
    isLoose: false,
    isNegated: false,
  });
}

/** "My sister Anna moved": Anna is a sister. */
function introduced({ opening, text, context }: Reading): StatedFact[] {
  const attribute = opening.named && context.lexicon.names.get(opening.named.relation);
  if (opening.named === undefined || attribute === undefined) return [];
  return [
    {
      ...{ subject: me, attribute: attribute.name, value: opening.named.name, assertion: 'holds', certainty: 'yields' },
      ...{ isAdded: false, isChange: false, isSince: false, isRelative: false, namesYear: false, quote: text },
    },
  ];
}

function applyPattern(pattern: Pattern, reading: Reading): StatedFact[] {
  const { attribute, kind, isLoose, isNegated, rest } = pattern;
  const { group, values, opening } = reading;
  if (pattern.opening === 'we' && !opening.isPlural) return [];
  if (pattern.opening === 'value' && opening.subject === me) return [];
  if (!fits(pattern, reading)) return [];
  const isCalled = group.lemmas.includes('be') && attribute.shape === 'role' && rest.length === 2;
  const former = formerOf(pattern, group.next, values);
  const match = matchParts(rest, former?.next ?? group.next, attribute, values);
  if (match === undefined || (isCalled && !isOccupation(match.values?.values[0]))) return [];
  const subject = match.subject ?? (pattern.opening === 'value' ? me : opening.subject);
  const named =
    pattern.opening === 'value' ? { values: [opening.subject], isVague: false, next: match.next } : undefined;
  const found = named ?? match.values;
  if (found === undefined && kind !== 'ending') return [];
  const last = { ...(found ?? { values: [], isVague: false }), next: match.next };
  const stated = conclude(reading, {
    ...{ attribute, subject, values: last, kind, isLoose, isNegated },
    isOfValue: pattern.opening === 'value',
  });
  const isClear = stated.some(({ assertion, certainty }) => assertion === 'holds' && certainty !== 'unclear');
  return former === undefined || !isClear ? stated : [...toOver(reading, attribute, subject, former), ...stated];
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
function fits(pattern: Pattern, { group, values, opening: { subject } }: Reading): boolean {
  if (isPost(pattern, group)) return isPaidPost(wordsUntil('at', group.next, values));
  if (!pattern.attribute.ofThings || !group.lemmas.includes('be')) return true;
  return subject !== me && !subject.startsWith('my ') && /^(?:Project |\p{Ll})/u.test(subject);
}

/** "from Bergen to Oslo". */
function formerOf({ attribute, kind, rest }: Pattern, at: number, values: ValueContext): ReadValues | undefined {
  if (rest[0] === 'from' || kind === 'ending') return undefined;
  return values.words[at]?.lower === 'from' ? readValues(attribute, at + 1, values) : undefined;
}

interface Matched {
  attribute: ReadableAttribute;
  subject: string;
  values: ReadValues;
  kind: PatternKind;
  isLoose: boolean;
  isNegated: boolean;
  /** The clause begins with the value: "Rex died". */
  isOfValue?: boolean;
}

/** Returns what a matched pattern states, given how the clause goes on. */
function conclude(reading: Reading, matched: Matched): StatedFact[] {
  const { isTime, values: valueContext } = reading;
  const { attribute, subject, values, kind } = matched;
  const tail = readTail(valueContext.words, values.next, isTime);
  const said = interpretMatched(reading, matched, tail);
  if (said === undefined) return [];
  const certainty = certaintyOf(reading, matched, said, tail);
  const isEnd = said.assertion !== 'holds' && said.assertion !== 'held';
  // Nothing ends because of words that may not mean it, and a number may count anything.
  if ((certainty === 'unclear' || tail.isDescribed) && isEnd) return [];
  if (certainty === 'unclear' && attribute.shape === 'number') return [];
  const named = values.values.length === 0 ? [null] : values.values;
  const about = {
    subject,
    attribute: attribute.name,
    certainty,
    tail,
    isChange: tail.formerAt !== undefined || tellsChange(reading, kind),
  };
  const stated = named.map((value) => toStated(reading, { ...about, value }, said));
  if (tail.formerAt === undefined || certainty === 'unclear' || said.assertion !== 'holds') return stated;
  const former = readValues(attribute, tail.formerAt, valueContext);
  if (former === undefined || former.values.some((one) => values.values.includes(one))) return stated;
  const over = toOver(reading, attribute, subject, former, said);
  return [...over.map((one) => (tail.isContrast ? { ...one, assertion: 'denied' as const } : one)), ...stated];
}

/** Returns undefined if nothing is stated. */
function interpretMatched(
  { group, times, context }: Reading,
  matched: Matched,
  tail: Tail,
): Interpretation | undefined {
  const { attribute, kind, isNegated } = matched;
  if (isNegated && (!group.isNegated || tail.isOver || group.isOver)) return undefined;
  // A date that is the value says nothing about when it became one.
  const read = {
    times: attribute.shape === 'date' ? noTimes : times,
    tail,
    today: context.today,
    isNegated: group.isNegated && !isNegated,
  };
  const told = interpret(kind, { ...read, group: isNegated ? { ...group, isNever: false } : group });
  if (told === undefined || isOfSomethingElse(matched, tail)) return undefined;
  // What ends may be anything, so only what is known ends.
  const isAnything = kind === 'ending' && (!attribute.single || matched.isOfValue === true);
  return isAnything ? { ...told, assertion: 'denied' } : told;
}

/** "I resigned from the board" is not about a job, and "I quit my job at Acme" not about another one. */
function isOfSomethingElse({ kind, values }: Matched, { formerAt, isPlaced }: Tail): boolean {
  return kind === 'ending' && values.values.length === 0 && (formerAt !== undefined || isPlaced === true);
}

/** Whether the words say that something is different now. */
function tellsChange({ group, context, times, opening, values }: Reading, kind: PatternKind): boolean {
  // Nobody is born twice.
  const isEvent = kind !== 'state' && values.words[group.next]?.lower !== 'born';
  return opening.isNew === true || group.isChange || group.isStarting || isEvent || context.corrects || times.isNow;
}

function certaintyOf(
  reading: Reading,
  { attribute, values, kind, isLoose }: Matched,
  said: Interpretation,
  tail: Tail,
): Certainty {
  const { context, group, opening, times } = reading;
  const isSeveral = attribute.single && values.values.length > 1;
  if (context.isUnclear || group.isUnclear || tail.isUnclear || isSeveral || said.isUnclear) return 'unclear';
  if (times.isRecurring && (attribute.single || said.assertion !== 'holds')) return 'unclear';
  if (values.isVague) return kind === 'ending' ? 'unclear' : 'yields';
  if (kind === 'state' && said.assertion === 'holds' && group.tense === 'present' && times.isMomentary) return 'yields';
  if (attribute.shape === 'role' && tail.isFor) return 'yields';
  const isChange = tellsChange(reading, kind);
  return !isChange && (isLoose || opening.isOneOfMany) ? 'yields' : 'clear';
}

function toOver(
  reading: Reading,
  { name }: ReadableAttribute,
  subject: string,
  { values }: ReadValues,
  { when }: Partial<Interpretation> = {},
): StatedFact[] {
  const tail = { isAdded: false, isOver: false, isUnclear: false };
  return values.map((value) =>
    toStated(
      reading,
      { subject, attribute: name, value, certainty: 'clear', tail, isChange: true },
      { assertion: 'over', when },
    ),
  );
}

function toStated(
  { text, context, group, times }: Pick<Reading, 'text' | 'context' | 'group' | 'times'>,
  { tail, ...about }: Pick<StatedFact, 'subject' | 'attribute' | 'value' | 'certainty' | 'isChange'> & { tail: Tail },
  { assertion, when, until, isSince = false, isAdded = false }: Interpretation,
): StatedFact {
  const toDate = (localMs: number) => new Date(fromLocalMs(localMs, context.utterance.timeZone));
  return {
    ...about,
    assertion,
    isAdded: isAdded || group.isAdded || tail.isAdded,
    ...(when && { when: { from: toDate(when.from), to: toDate(when.to) } }),
    ...(until && { until: toDate(until.to) }),
    isSince,
    isRelative: !times.isAbsolute,
    namesYear: times.namesYear,
    quote: text,
  };
}

/** Words of other languages that tell of a change. */
const changeElsewhere =
  /(?<!\p{L})(?:jetzt|nun|inzwischen|mittlerweile|umgezogen|gezogen|maintenant|désormais|déménagé|ahora|mudé|mudamos|mudó)(?!\p{L})/iu;
const addedElsewhere = /(?<!\p{L})(?:auch|aussi|también)(?!\p{L})/iu;

/** Patterns without a subject, and those of other languages. */
function readLiteral(text: string, words: readonly Word[], from: number, context: ClauseContext): StatedFact[] {
  const literals: readonly LiteralPattern[] = context.lexicon.literals.get(words[from]?.lower ?? '') ?? [];
  const { isTime, times } = timesIn(text, context, true);
  const values = valueContextOf(words, isTime, context);
  for (const { attribute, isLoose, isEnding, parts } of literals) {
    const match = matchParts(parts, from, attribute, values);
    if (match === undefined || (match.values === undefined && !isEnding)) continue;
    const tail = readTail(words, match.next, isTime);
    const isUnclear = context.isUnclear || tail.isUnclear || match.values?.isVague === true || tail.isOver;
    if (isEnding && isUnclear) return [];
    const certainty = isUnclear ? 'unclear' : isLoose ? 'yields' : 'clear';
    return (match.values?.values ?? [null]).map((value) =>
      toStated(
        { text, context, group: plainGroup, times },
        {
          subject: match.subject ?? me,
          attribute: attribute.name,
          value,
          certainty,
          tail,
          isChange: changeElsewhere.test(text),
        },
        {
          assertion: isEnding ? 'over' : 'holds',
          when: isEnding ? times.on : undefined,
          isAdded: addedElsewhere.test(text),
        },
      ),
    );
  }
  return [];
}

const plainGroup = { isAdded: false } as VerbGroup;

/** What began is not over: "I started at Acme" is also a form of "I am at Acme", in the past. */
function withoutRepeats(stated: readonly StatedFact[]): StatedFact[] {
  const known = new Set<string>();
  const keyOf = ({ subject, attribute, value }: StatedFact, assertion: string) =>
    JSON.stringify([subject, attribute, value, assertion]);
  const held = new Set(stated.filter(({ assertion }) => assertion === 'holds').map((one) => keyOf(one, 'holds')));
  return stated.filter((one) => {
    const key = keyOf(one, one.assertion);
    const isOutdone = one.assertion === 'held' && held.has(keyOf(one, 'holds'));
    return !isOutdone && !known.has(key) && known.add(key);
  });
}

/** Returns the values of an attribute that a clause without a verb names: "no longer in Bergen", "Oslo". */
export function readBareValue(
  text: string,
  attribute: ReadableAttribute,
  context: ClauseContext,
): { values: string[]; isOver: boolean; isContrast: boolean } | undefined {
  const words = toWords(text);
  const isContrast = words[0]?.lower === 'not';
  const isOver = isContrast || (words[0]?.lower === 'no' && words[1]?.lower === 'longer');
  let at = isContrast ? 1 : isOver ? 2 : 0;
  if (/^(?:in|at|with|for|a|an|the|it's|its)$/.test(words[at]?.lower ?? '')) at += 1;
  const { isTime } = timesIn(text, context, false);
  const found = readValues(attribute, at, valueContextOf(words, isTime, context));
  if (found === undefined) return undefined;
  const tail = readTail(words, found.next, isTime);
  return tail.isUnclear ? undefined : { values: found.values, isOver, isContrast };
}

/** Whether a name and a verb begin at a place. */
export function isNameWithVerb(words: readonly Word[], from: number, lexicon: PreparedLexicon): boolean {
  const named = nameAt(words, from);
  return named !== undefined && readVerbGroup(words, named.next, lexicon) !== undefined;
}
