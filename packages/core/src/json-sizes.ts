import type { Json } from './json.js';
import { maxJsonDepth } from './text.js';

export interface JsonSize {
  /** Characters of compact JSON, with strings counted unescaped. Never more than its UTF-8 bytes. */
  length: number;
  /** Nesting depth: 0 for a scalar, 1 for a flat array. Infinity past the depth limit. */
  height: number;
}

/** Smaller containers are measured again instead of cached: that is faster, and there are many of them. */
const smallLength = 256;

/**
 * Measures JSON values and caches the size of large containers. Call `forget` for a container that changes in place and
 * for each of its ancestors.
 */
export class JsonSizes {
  readonly #known = new WeakMap<object, JsonSize>();

  of(value: Json): JsonSize {
    const around = { length: 0, height: 1 };
    this.#count(value, 0, around);
    return { length: around.length, height: around.height - 1 };
  }

  forget(container: object): void {
    this.#known.delete(container);
  }

  /** Adds the value's length to the length of `around`, and raises the height of `around` to contain it. */
  #count(value: Json, depth: number, around: JsonSize): void {
    if (typeof value === 'string') {
      around.length += value.length + 2;
    } else if (value === null || typeof value !== 'object') {
      around.length += String(value).length;
    } else {
      const size = this.#known.get(value) ?? this.#measure(value, depth);
      around.length += size.length;
      around.height = Math.max(around.height, size.height + 1);
    }
  }

  #measure(container: Json[] | { [key: string]: Json }, depth: number): JsonSize {
    if (depth >= maxJsonDepth) return { length: 0, height: Number.POSITIVE_INFINITY };
    // One character for the opening bracket, and one after each member: a comma or the closing bracket.
    const size = { length: 1, height: 1 };
    if (Array.isArray(container)) {
      size.length += container.length;
      for (const element of container) this.#count(element, depth + 1, size);
    } else {
      for (const key of Object.keys(container)) {
        size.length += key.length + 4;
        this.#count(container[key] as Json, depth + 1, size);
      }
    }
    if (size.length >= smallLength) this.#known.set(container, size);
    return size;
  }
}
