import { escapeSegment } from './json-pointer.js';

/** Deeper JSON than this is refused: recursion further down (validators, serialisers, databases) stays bounded. */
export const maxJsonDepth = 64;

export interface TextFault {
  /** JSON Pointer of the offending string or container. */
  pointer: string;
  message: string;
}

interface Visit {
  value: unknown;
  pointer: string;
  depth: number;
}

/** First reason why a JSON value cannot be stored as it is, or undefined. Iterative: depth costs no stack. */
export function findTextFault(root: unknown): TextFault | undefined {
  const pending: Visit[] = [{ value: root, pointer: '', depth: 0 }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { value, pointer } = visit;
    const message = typeof value === 'string' ? describeFault(value) : descend(visit, pending);
    if (message !== undefined) return { pointer, message };
  }
  return undefined;
}

/** Puts the members of a container that need a look on the list, or says what is wrong with it. */
function descend({ value, pointer, depth }: Visit, pending: Visit[]): string | undefined {
  if (isTooLarge(value)) return 'is a number too large to be kept';
  if (value === null || typeof value !== 'object') return undefined;
  if (depth >= maxJsonDepth) return `is nested deeper than ${maxJsonDepth} levels`;
  for (const [key, member] of Object.entries(value)) {
    const fault = describeFault(key);
    if (fault !== undefined) return `has a member name that ${fault}`;
    if (typeof member === 'string' || typeof member === 'object' || isTooLarge(member)) {
      pending.push({ value: member, pointer: `${pointer}/${escapeSegment(key)}`, depth: depth + 1 });
    }
  }
  return undefined;
}

/** 1e999 is JSON, and is read as a value that would be written as null. */
function isTooLarge(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** Why a string cannot be stored, or undefined. */
export function describeFault(text: string): string | undefined {
  if (text.includes('\u0000')) return 'contains a NUL character';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair';
  return undefined;
}
