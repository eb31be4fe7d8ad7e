import { Problem } from '@memhall/core';

interface NamespaceWrite<T> {
  /** Identifies the namespace, including the tenant if there are several. */
  key: string;
  /** Rejects with NOT_FOUND if the namespace is missing. */
  write(): Promise<T>;
  /** Creates the namespace, also on behalf of other writes that wait for it. */
  make(): Promise<unknown>;
}

/**
 * The namespace may be removed again before it is written to, so the write is retried; but not forever, in case someone
 * keeps removing it.
 */
const mostWrites = 3;

interface Place {
  writesUnderWay: number;
  /** Set while any of the writes is in progress. */
  lastMade: Promise<unknown> | undefined;
}

/**
 * Creates plugin namespaces that writes find missing. A namespace that exists is not created again, however late a
 * write learns that it was missing: that would replace properties set since then.
 */
export class NamespaceMaker {
  readonly #places = new Map<string, Place>();

  /** Rejects with the error of `write` or `make`. */
  async write<T>({ key, write, make }: NamespaceWrite<T>): Promise<T> {
    const place = this.#places.get(key) ?? { writesUnderWay: 0, lastMade: undefined };
    this.#places.set(key, place);
    place.writesUnderWay += 1;
    try {
      for (let writes = 1; ; writes++) {
        const madeBefore = place.lastMade;
        try {
          return await write();
        } catch (error) {
          const isMissing = error instanceof Problem && error.code === 'NOT_FOUND';
          if (!isMissing || writes === mostWrites) throw error;
        }
        if (place.lastMade === madeBefore) place.lastMade = make();
        await place.lastMade;
      }
    } finally {
      place.writesUnderWay -= 1;
      if (place.writesUnderWay === 0) this.#places.delete(key);
    }
  }
}
