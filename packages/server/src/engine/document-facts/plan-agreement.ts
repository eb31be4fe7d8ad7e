import { formatPointer, type Json, type PatchOperation } from '@memhall/core';
import type { Fact } from '../../ports/facts.js';
import { attributeKey, textKey } from '../facts/fact-keys.js';
import type { PastValue } from './document-past.js';

/** A value with what the facts say about it. */
export interface JudgedValue extends PastValue {
  /** The facts that it states, or that it was written for. */
  facts: readonly Fact[];
  /** over: none of them is true any more. unknown: there are none. */
  verdict: 'stands' | 'over' | 'unknown';
  /** Whether it is true, is not in the document, and was not removed by somebody who meant it. */
  mayReturn: boolean;
  /** The fact that is true in its stead; undefined if there is none. */
  successor: Fact | undefined;
}

export interface Agreement {
  ops: PatchOperation[];
  /** Ids of the facts that it follows from. */
  factIds: string[];
  /** The lowest of these facts. */
  confidence: number;
}

/** Returns the patch that makes the values at one place agree with the facts. What the facts do not speak of stays. */
export function planAgreement(values: readonly JudgedValue[], now: Date): Agreement {
  const present = values.filter(({ isPresent }) => isPresent);
  const shown = new Set(present.filter(({ verdict }) => verdict !== 'over').flatMap(({ facts }) => facts.map(toId)));
  const returning = values.filter(({ mayReturn, facts }) => mayReturn && !facts.some(({ id }) => shown.has(id)));
  const replaced: PatchOperation[] = [];
  const removed: { index: number; operation: PatchOperation }[] = [];
  const because: Fact[] = [];
  for (const value of present.filter(({ verdict }) => verdict === 'over')) {
    const next = nextEntry(value, { values, returning, shown, now });
    const path = pathOf(value);
    if (next === undefined) removed.push({ index: value.index ?? 0, operation: { op: 'remove', path } });
    else replaced.push({ op: 'replace', path, value: next.entry });
    because.push(...(next === undefined ? value.facts : next.facts));
  }
  const added = toAdditions(present, returning);
  because.push(...added.flatMap(({ facts }) => facts));
  return {
    ops: [
      ...replaced,
      ...removed.sort((one, other) => other.index - one.index).map(({ operation }) => operation),
      ...added.map(({ operation }) => operation),
    ],
    factIds: [...new Set(because.map(toId))],
    confidence: Math.min(1, ...because.map(({ state }) => state.confidence)),
  };
}

interface Candidates {
  values: readonly JudgedValue[];
  /** What may return. A value that does is taken out. */
  returning: JudgedValue[];
  /** Ids of the facts that the document shows. A fact that it gets to show is added. */
  shown: Set<string>;
  now: Date;
}

/** Returns what takes the place of a value that is over: the fact that is true in its stead, else what was there before. */
function nextEntry(
  { entry, rule, subject, successor }: JudgedValue,
  { values, returning, shown, now }: Candidates,
): { entry: Json; facts: readonly Fact[] } | undefined {
  if (successor !== undefined && shown.has(successor.id)) return undefined;
  if (successor !== undefined) {
    shown.add(successor.id);
    const known = values.findLast(({ facts }) => facts.some(({ id }) => id === successor.id));
    if (known !== undefined && returning.includes(known)) returning.splice(returning.indexOf(known), 1);
    const text = rule.attribute === undefined ? sentenceOf(successor, subject) : successor.value;
    return { entry: known?.entry ?? toEntry(entry, text, successor, now), facts: [successor] };
  }
  const former = returning.pop();
  return former && { entry: former.entry, facts: former.facts };
}

/** Values that return although nothing is there in their stead. Outside of lists there is room for one. */
function toAdditions(
  present: readonly JudgedValue[],
  returning: readonly JudgedValue[],
): { operation: PatchOperation; facts: readonly Fact[] }[] {
  return returning.flatMap((value, place) => {
    const { entry, facts, index, rule } = value;
    const path = formatPointer(rule.segments);
    if (index !== null) return [{ operation: { op: 'add', path: `${path}/-`, value: entry }, facts }];
    const isLast = place === returning.length - 1;
    return present.length === 0 && isLast ? [{ operation: { op: 'add', path, value: entry }, facts }] : [];
  });
}

/** Returns a fact in the words of a document about `subject`. */
export function sentenceOf({ subjectKey, attribute, value, text }: Fact, subject: string): string {
  if (subjectKey !== textKey(subject)) return text;
  const words = `${attributeKey(attribute)} ${value}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Returns an entry of the same form with another text. */
function toEntry(like: Json, text: string, { id, state }: Fact, now: Date): Json {
  if (like === null || typeof like !== 'object' || Array.isArray(like)) return text;
  const { expires_at: _, stale_after: __, ...members } = like;
  const own: { [name: string]: Json } = {
    confidence: state.confidence,
    evidence: { fact_ids: [id] },
    last_verified_at: now.toISOString(),
  };
  const known = Object.entries(own).filter(([name]) => Object.hasOwn(members, name));
  return { ...members, text, ...Object.fromEntries(known) };
}

function pathOf({ rule, index }: JudgedValue): string {
  return formatPointer(index === null ? rule.segments : [...rule.segments, String(index)]);
}

function toId({ id }: Fact): string {
  return id;
}
