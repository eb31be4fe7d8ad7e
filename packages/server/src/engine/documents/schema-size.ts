import type { Json } from '@memhall/core';

/** What makes a schema expensive to compile and to check with. */
interface SchemaSize {
  /** Characters of the schema as JSON. */
  characters: number;
  /** Members and elements at any depth. */
  parts: number;
  /** Estimated instructions of all patterns together. */
  patterns: number;
}

export interface MeasuredSchema extends SchemaSize {
  /** Whether `unevaluatedProperties` or `unevaluatedItems` occurs: names are then collected and compared. */
  tracksEvaluated: boolean;
}

/** A schema over one of these limits cannot be registered. */
export const registrationLimits: SchemaSize = { characters: 200_000, parts: 10_000, patterns: 20_000 };

/** A schema over one of these limits takes long to compile. */
export const smallSchemaLimits: SchemaSize = { characters: 50_000, parts: 1_000, patterns: 5_000 };

export function exceededLimit(size: SchemaSize, limits: SchemaSize): keyof SchemaSize | undefined {
  return (['characters', 'parts', 'patterns'] as const).find((name) => size[name] > limits[name]);
}

/** Does not recurse, so no schema is nested too deeply for it. */
export function measureSchema(schema: Json): MeasuredSchema {
  let parts = 0;
  let tracksEvaluated = false;
  let patterns = 0;
  const left: Json[] = [schema];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (value === null || typeof value !== 'object') continue;
    for (const [name, member] of Object.entries(value)) {
      parts += 1;
      tracksEvaluated ||= name.startsWith('unevaluated');
      left.push(member);
      if (name === 'pattern' && typeof member === 'string') patterns += estimateInstructions(member);
      if (name !== 'patternProperties' || member === null || typeof member !== 'object') continue;
      for (const pattern of Object.keys(member)) patterns += estimateInstructions(pattern);
    }
  }
  return { characters: JSON.stringify(schema).length, parts, patterns, tracksEvaluated };
}

/** Every alternative consumes what it begins with, so reading takes linear time. */
const token = /\\[pP]\{[^}]*\}?|\\.|\[(?:\\.|[^\]\\])*\]?|\{(\d+)(,\d*)?\}|./gsu;

/** Estimates the instructions that a pattern compiles to. Repetitions with a number are unrolled. */
export function estimateInstructions(pattern: string): number {
  const groups = [0];
  let last = 0;
  const add = (size: number) => groups.push((groups.pop() ?? 0) + size);
  for (const [text, least, most] of pattern.matchAll(token)) {
    if (text === '(') {
      groups.push(0);
      last = 0;
    } else if (text === ')' && groups.length > 1) {
      last = 2 + (groups.pop() ?? 0);
      add(last);
    } else if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most?.slice(1) ?? 0));
      add(last * (times - 1));
      last *= times;
    } else {
      last = 1;
      add(1);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
