/** Yields the strings and member names of a document without JSON escapes, which could hide text from the scanner. */
export function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const member of value) yield* textsOf(member);
  else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* textsOf(member);
    }
  }
}
