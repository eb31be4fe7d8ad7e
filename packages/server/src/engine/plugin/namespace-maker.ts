import { Problem } from '@memhall/core';

export interface NamespaceWrite<T> {
  /** Of which namespace, of which tenant where there are several. */
  key: string;
  /** Rejects with NOT_FOUND where the namespace is missing. */
  write(): Promise<T>;
  /** Also on behalf of other writes that wait for it. */
  make(): Promise<unknown>;
}

/** It may be removed again before it is written to; but whoever removes it every time does not want it. */
const mostWrites = 3;

interface Place {
  writesUnderWay: number;
  /** While any of them was. */
  lastMade: Promise<unknown> | undefined;
}

/**
 * Makes the namespaces of a plugin that writes find missing. One that is there is not made again, however late a write hears that
 * it was missing: making it would replace what has been said about it since.
 */
export class NamespaceMaker {
  readonly #places = new Map<string, Place>();

  /** Throws what `write` or `make` rejects with. */
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
