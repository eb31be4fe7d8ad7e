import { escapeSegment } from './json-pointer.js';

/** Deeper JSON is rejected, so that recursion in later code (validators, serializers, databases) stays bounded. */
export const maxJsonDepth = 64;

/**
 * Normalizing marks in a row takes time that grows with the square of their number: 24 seconds for 200,000. No language has words
 * with more than a few.
 */
const maxMarks = 100;
/** Looks back, so that each run is tried only from its start. */
const manyMarks = new RegExp(`(?<!\\p{M})\\p{M}{${maxMarks + 1}}`, 'u');

export interface TextFault {
  /** JSON Pointer of the offending string or container. */
  pointer: string;
  message: string;
}

interface Visit {
  value: unknown;
  /** Name or position in the container; undefined for the root. */
  key: string | number | undefined;
  within: Visit | undefined;
  depth: number;
}

/**
 * Returns the first reason why a JSON value cannot be stored unchanged, or undefined. Iterative, so depth uses no
 * stack.
 */
export function findTextFault(root: unknown): TextFault | undefined {
  const pending: Visit[] = [{ value: root, key: undefined, within: undefined, depth: 0 }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const message = typeof visit.value === 'string' ? describeFault(visit.value) : descend(visit, pending);
    if (message !== undefined) return { pointer: pointerOf(visit), message };
  }
  return undefined;
}

/** Adds the members that need checking to `pending`, or returns the fault of the container itself. */
function descend(visit: Visit, pending: Visit[]): string | undefined {
  const { value, depth } = visit;
  if (isTooLarge(value)) return 'is a number that is too large to store';
  if (value === null || typeof value !== 'object') return undefined;
  if (depth >= maxJsonDepth) return `is nested deeper than ${maxJsonDepth} levels`;
  const add = (key: string | number, member: unknown) => {
    if (mayBeFaulty(member)) pending.push({ value: member, key, within: visit, depth: depth + 1 });
  };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) add(index, value[index]);
    return undefined;
  }
  for (const [name, member] of Object.entries(value)) {
    const fault = describeFault(name);
    if (fault !== undefined) return `has a member name that ${fault}`;
    add(name, member);
  }
  return undefined;
}

function mayBeFaulty(value: unknown): boolean {
  if (typeof value === 'string') return describeFault(value) !== undefined;
  return (typeof value === 'object' && value !== null) || isTooLarge(value);
}

function pointerOf({ key, within }: Visit): string {
  return within === undefined ? '' : `${pointerOf(within)}/${escapeSegment(String(key))}`;
}

/** 1e999 is valid JSON but parses to Infinity, which would be written as null. */
function isTooLarge(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** Returns why a string cannot be stored, as a phrase that follows the name of the field, or undefined. */
export function describeFault(text: string): string | undefined {
  if (text.includes('\u0000')) return 'contains a NUL character';
  if (!text.isWellFormed()) return 'contains a lone surrogate';
  if (text.length > maxMarks && manyMarks.test(text)) return `contains more than ${maxMarks} combining marks in a row`;
  return undefined;
}
