import { isDeepStrictEqual } from 'node:util';

/** Thrown by a case if the target does not behave as required. */
export class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Unexpected(message);
}

/** Compares by value. The order of members does not matter. */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  ensure(isDeepStrictEqual(actual, expected), `${what} is ${show(actual)} instead of ${show(expected)}`);
}

const shownCharacters = 240;

/** Formats a value on one line, truncated if long, without control characters for terminals. */
export function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? JSON.stringify(value) : toJson(value);
  const short = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return short.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

function toJson(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
