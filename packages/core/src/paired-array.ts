import { canonicalJson, type Json, jsonEqual } from './json.js';

/**
 * Matches the elements of two versions of an array, `here` and `there`. The common prefix and suffix are paired by
 * position. Between them, elements are paired by value. Equal elements are paired in order, but only if both versions
 * have the same number of them. Takes linear time.
 */
export class PairedArray {
  readonly #original: readonly Json[];
  /**
   * One id per element; the same id on both sides means the same element. The ids of original elements are their
   * indices.
   */
  readonly #here: number[];
  readonly #there: number[];
  /** Values with fewer copies there than here: it is unknown which of the equal elements were removed. */
  readonly #ambiguous = new Set<string>();
  #nextId: number;

  constructor(here: readonly Json[], there: readonly Json[]) {
    const [start, end] = commonEnds(here, there);
    const shift = here.length - there.length;
    this.#original = [...here];
    this.#here = Array.from(here.keys());
    this.#there = Array.from(there.keys(), (index) => {
      if (index < start) return index;
      return index < there.length - end ? here.length + index : index + shift;
    });
    this.#nextId = here.length + there.length;
    this.#pairByValue(start, here.slice(start, here.length - end), there.slice(start, there.length - end));
  }

  #pairByValue(start: number, here: readonly Json[], there: readonly Json[]): void {
    const indicesThere = indicesByValue(there);
    for (const [value, indices] of indicesByValue(here)) {
      const others = indicesThere.get(value) ?? [];
      if (others.length < indices.length) this.#ambiguous.add(value);
      if (others.length !== indices.length) continue;
      for (const [at, other] of others.entries()) this.#there[start + other] = start + (indices[at] ?? 0);
    }
  }

  get lengthHere(): number {
    return this.#here.length;
  }

  get lengthThere(): number {
    return this.#there.length;
  }

  idAt(index: number): number {
    return this.#here[index] ?? -1;
  }

  /** Returns an element's index there. Undefined if it was changed or removed, or if it may have been. */
  find(index: number): number | undefined {
    const id = this.idAt(index);
    const found = this.#there.indexOf(id);
    return found === -1 || this.#isAmbiguous(id) ? undefined : found;
  }

  /**
   * Returns the index at which to insert there: first, last, or between the same neighbours. Undefined if it is
   * unknown.
   */
  findGap(index: number): number | undefined {
    if (index === 0) return 0;
    if (index === this.#here.length) return this.#there.length;
    const left = this.find(index - 1);
    const right = this.find(index);
    if (right === undefined) return left === undefined ? undefined : left + 1;
    return left === undefined || left < right ? right : undefined;
  }

  insert(index: number, indexThere: number): void {
    const id = this.#nextId++;
    this.#here.splice(index, 0, id);
    this.#there.splice(indexThere, 0, id);
  }

  remove(index: number, indexThere: number): void {
    this.#here.splice(index, 1);
    this.#there.splice(indexThere, 1);
  }

  #isAmbiguous(id: number): boolean {
    const value = this.#original[id];
    return this.#ambiguous.size > 0 && value !== undefined && this.#ambiguous.has(canonicalJson(value));
  }
}

/** Returns the lengths of the common prefix and of the common suffix after it. */
function commonEnds(here: readonly Json[], there: readonly Json[]): [start: number, end: number] {
  const shorter = Math.min(here.length, there.length);
  let start = 0;
  while (start < shorter && jsonEqual(here[start] as Json, there[start] as Json)) start++;
  let end = 0;
  while (end < shorter - start && jsonEqual(here.at(-1 - end) as Json, there.at(-1 - end) as Json)) end++;
  return [start, end];
}

function indicesByValue(elements: readonly Json[]): Map<string, number[]> {
  const indices = new Map<string, number[]>();
  for (const [index, element] of elements.entries()) {
    const value = canonicalJson(element);
    const others = indices.get(value);
    if (others === undefined) indices.set(value, [index]);
    else others.push(index);
  }
  return indices;
}
