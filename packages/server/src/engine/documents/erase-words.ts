import { formatPointer, type Json, type PatchOperation, parsePointer } from '@memhall/core';

/** A line of at least this length is also found inside longer ones. */
const minContained = 16;

/**
 * Replaces the lines of one author wherever they occur: as a line of a text, as the name of a member, or inside a longer line. The same
 * line always becomes the same mark, so that operations still apply to the states they were made for.
 */
export class ErasedWords {
  readonly #marks = new Map<string, string>();
  readonly #starts = new Map<string, string[]>();

  /** `id`: the author's own, which others may mention in their lines. */
  constructor(lines: Iterable<string>, id?: string) {
    for (const line of lines) {
      this.#marks.set(line, `[erased ${this.#marks.size + 1}]`);
      if (line.length < minContained || line === id) continue;
      const start = line.slice(0, minContained);
      this.#starts.set(
        start,
        [...(this.#starts.get(start) ?? []), line].sort((a, b) => b.length - a.length),
      );
    }
  }

  /** Returns whether the text has any of the lines. */
  isIn(text: string): boolean {
    return this.inText(text) !== text;
  }

  inText(text: string): string {
    return linesOf(text)
      .map((line) => this.#inLine(line))
      .join('\n');
  }

  inValue(value: Json): Json {
    if (typeof value === 'string') return this.inText(value);
    if (Array.isArray(value)) return value.map((item) => this.inValue(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#inName(name), this.inValue(member)]),
    );
  }

  inOperation(operation: PatchOperation): PatchOperation {
    const changed: Record<string, unknown> = { ...operation, path: this.#inPointer(operation.path) };
    if ('from' in operation) changed.from = this.#inPointer(operation.from);
    if ('value' in operation) changed.value = this.inValue(operation.value);
    return changed as unknown as PatchOperation;
  }

  /** Returns the value without the lines: texts that consist of them are left out. Returns undefined if nothing is left. */
  without(value: Json): Json | undefined {
    if (typeof value === 'string') return this.#textWithout(value);
    if (Array.isArray(value)) return value.flatMap((item) => this.without(item) ?? []);
    if (value === null || typeof value !== 'object') return value;
    const members = Object.entries(value).flatMap(([name, member]) => {
      const left = this.#inName(name) === name ? this.without(member) : undefined;
      return left === undefined ? [] : [[name, left] as const];
    });
    return Object.fromEntries(members);
  }

  #textWithout(text: string): string | undefined {
    const left = linesOf(text).filter((line) => !this.#marks.has(line));
    if (left.length === 0) return undefined;
    return left.map((line) => this.#inLine(line)).join('\n');
  }

  /** The first segment is not the author's: every pointer begins with `/content`. */
  #inPointer(pointer: string): string {
    return formatPointer(parsePointer(pointer).map((segment, at) => (at === 0 ? segment : this.#inName(segment))));
  }

  #inName(name: string): string {
    return isIndex(name) ? name : this.inText(name);
  }

  #inLine(line: string): string {
    const mark = this.#marks.get(line);
    if (mark !== undefined) return mark;
    let result = '';
    let copied = 0;
    for (let at = 0; this.#starts.size > 0 && at + minContained <= line.length; ) {
      const found = this.#starts.get(line.slice(at, at + minContained))?.find((one) => line.startsWith(one, at));
      if (found === undefined) {
        at++;
        continue;
      }
      result += line.slice(copied, at) + this.#marks.get(found);
      at += found.length;
      copied = at;
    }
    return result + line.slice(copied);
  }
}

/** Returns whether a segment of a pointer may be the place of an array's element. */
export function isIndex(segment: string): boolean {
  return /^(?:-|0|[1-9]\d*)$/.test(segment);
}

export function linesOf(text: string): string[] {
  return text.split('\n');
}

/** Yields every line of every text in a value, and of the names of its members. */
export function* linesIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield* linesOf(value);
  else if (Array.isArray(value)) for (const item of value) yield* linesIn(item);
  else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* linesIn(member);
    }
  }
}
