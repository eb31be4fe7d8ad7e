import { fromLocalMs } from '@memhall/core';
import type { Certainty, ReadableAttribute, StatedFact } from '../../../ports/statement-reader.js';
import type { Reading } from './clause.js';
import { type Interpretation, interpret } from './interpret.js';
import type { PatternKind } from './lexicon.js';
import { mayBeMembership, mayComeBack } from './other-meanings.js';
import { readTail, type Tail } from './tails.js';
import { noTimes } from './times.js';
import { type ReadValues, readValues } from './values.js';

export interface Matched {
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
export function conclude(reading: Reading, matched: Matched): StatedFact[] {
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
  return (
    opening.isNew === true ||
    group.isChange ||
    group.isStarting ||
    isEvent ||
    context.corrects ||
    times.isNow ||
    times.isStart
  );
}

function certaintyOf(reading: Reading, matched: Matched, said: Interpretation, tail: Tail): Certainty {
  const { attribute, values, kind, isLoose } = matched;
  const { context, group, opening, times } = reading;
  const isSeveral = attribute.single && values.values.length > 1;
  const doubts = [context.isUnclear, group.isUnclear, tail.isUnclear, said.isUnclear, isSeveral];
  if (doubts.includes(true) || mayComeBack(reading, matched)) return 'unclear';
  if (times.isRecurring && (attribute.single || said.assertion !== 'holds')) return 'unclear';
  if (values.isVague) return kind === 'ending' ? 'unclear' : 'yields';
  if (kind === 'state' && said.assertion === 'holds' && group.tense === 'present' && times.isMomentary) return 'yields';
  if (attribute.shape === 'role' && tail.isFor) return 'yields';
  // "I am with Telia now" may be about a company.
  if ((isLoose && attribute.shape === 'name') || mayBeMembership(reading, matched)) return 'yields';
  const isChange = tail.formerAt !== undefined || tellsChange(reading, kind);
  return !isChange && (isLoose || opening.isOneOfMany) ? 'yields' : 'clear';
}

export function toOver(
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

export function toStated(
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
