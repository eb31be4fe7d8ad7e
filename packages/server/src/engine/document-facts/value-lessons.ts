import type { FactKeys } from '../../ports/facts.js';
import type { Memory } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';
import { findAttribute, type KnownAttribute } from '../facts/attributes.js';
import { factLimits, textKey } from '../facts/fact-keys.js';
import type { LearnedMemory, Lesson } from '../facts/learn-facts.js';
import type { ShownValue } from './shown-values.js';

/** A value of a document with the piece of it that says so. */
export interface StatedValue {
  value: ShownValue;
  memory: Memory;
}

type Attributes = ReadonlyMap<string, KnownAttribute>;

/** Returns the values that pieces of a document state; the others are left out. */
export function statedBy(values: readonly ShownValue[], pieces: readonly Memory[]): StatedValue[] {
  const memories = new Map(pieces.map((memory) => [memory.id, memory]));
  return values.flatMap((value) => {
    const memory = memories.get(value.memoryId);
    return memory === undefined || memory.content.includes('[REDACTED') ? [] : [{ value, memory }];
  });
}

/** Returns those that are texts to be read, not values of an attribute. */
export function textsOf(stated: readonly StatedValue[]): StatedValue[] {
  return stated.filter(({ value }) => value.rule.attribute === undefined);
}

/** Returns the attributes of values, by their names in the profile. */
export async function findAttributes(tables: Tables, values: readonly Pick<ShownValue, 'rule'>[]): Promise<Attributes> {
  const names = [...new Set(values.flatMap(({ rule }) => rule.attribute ?? []))];
  const found = await Promise.all(names.map(async (name) => [name, await findAttribute(tables, name)] as const));
  return new Map(found);
}

/** Returns what values state. `read` has what each of their texts does, in order. */
export function toLearned(
  stated: readonly StatedValue[],
  attributes: Attributes,
  read: readonly (Lesson | undefined)[],
): LearnedMemory[] {
  const lessons = new Map(textsOf(stated).map(({ memory }, index) => [memory.id, read[index]]));
  return stated.map(({ value, memory }) => {
    const lesson = value.rule.attribute === undefined ? lessons.get(memory.id) : toLesson(value, attributes);
    return { memory, lesson };
  });
}

function toLesson({ rule, subject, text }: ShownValue, attributes: Attributes): Lesson | undefined {
  const { attribute = '' } = rule;
  if (text.length > factLimits.value || subject.length > factLimits.subject) return undefined;
  const plain = {
    certainty: 'clear',
    isSince: false,
    isRelative: false,
    namesYear: true,
    isAdded: false,
    quote: '',
  } as const;
  return { stated: [{ subject, attribute, value: text, assertion: 'holds', isChange: true, ...plain }], attributes };
}

/** Returns the subjects and attributes that memories say something about. */
export function keysOf(learned: readonly LearnedMemory[]): FactKeys[] {
  return learned.flatMap(({ lesson }) =>
    (lesson?.stated ?? []).flatMap(({ subject, attribute }) => {
      const known = lesson?.attributes.get(attribute);
      return known === undefined ? [] : [{ subjectKey: textKey(subject), attributeKey: known.key }];
    }),
  );
}
