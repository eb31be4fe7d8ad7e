import { expect } from 'vitest';
import { mayRead, mayWrite, type Plant, type Reader } from './cast.js';
import { wordPattern } from './plant.js';
import { whatFindsWhat } from './what-finds-what.js';

export const isFull = process.env.MEMHALL_TEST_LONG !== undefined;

const idPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export const sorted = (values: Iterable<string>) => [...new Set(values)].sort();

/** What was planted, and how much of it a response shows. */
export class Sightings {
  readonly plants: readonly Plant[];
  readonly #known = new Set<string>();

  constructor(plants: readonly Plant[]) {
    this.plants = plants;
  }

  /** Notes under which ids the planted texts are stored. */
  locate(stored: readonly { id: string; content: string }[]): void {
    for (const { id, content } of stored) {
      this.#known.add(id);
      const [word] = content.toLowerCase().match(wordPattern) ?? [];
      if (word !== undefined) this.plants.find((plant) => plant.word === word)?.ids.push(id);
    }
  }

  idsOf(wanted: readonly Plant[]): string[] {
    return sorted(wanted.flatMap(({ ids }) => ids));
  }

  /** Returns the ids of all that a reader may read. */
  readableIds(reader: Reader): string[] {
    return this.idsOf(this.plants.filter((plant) => mayRead(reader, plant)));
  }

  idsIn(text: string): string[] {
    return sorted((text.match(idPattern) ?? []).filter((id) => this.#known.has(id)));
  }

  /** Expects the planted texts in a response, and no other texts or ids. */
  expectFound(text: string, isThere: (plant: Plant) => boolean): void {
    const wanted = this.plants.filter(isThere);
    this.#expectWords(text, wanted);
    expect(this.idsIn(text).filter((id) => !wanted.some(({ ids }) => ids.includes(id)))).toEqual([]);
  }

  /** Expects the planted texts and all of their ids in a response, and no others. */
  expectExactly(text: string, isThere: (plant: Plant) => boolean): void {
    const wanted = this.plants.filter(isThere);
    this.#expectWords(text, wanted);
    expect(this.idsIn(text)).toEqual(this.idsOf(wanted));
  }

  /** Returns one plant of each kind for each way a reader is related to it, or all of them in long runs. */
  sampleFor(reader: Reader): Plant[] {
    const seen = new Set<string>();
    return this.plants.filter((plant) => {
      const key = [plant.row, plant.tenant, mayRead(reader, plant), mayWrite(reader, plant)].join();
      const isNew = !seen.has(key);
      seen.add(key);
      return plant.ids.length > 0 && (isFull || isNew);
    });
  }

  #expectWords(text: string, wanted: readonly Plant[]): void {
    const words = wanted.map(({ word }) => word).filter((word) => word !== '');
    expect(this.#describe(text.toLowerCase().match(wordPattern) ?? [])).toEqual(this.#describe(words));
  }

  /** Returns the words with what they stand for, so that a failure can be read. */
  #describe(words: readonly string[]): string[] {
    return sorted(words).map((word) => {
      const { row, tenant, writer, place = '', noteOwner = '' } = this.plants.find((one) => one.word === word) as Plant;
      return [word, row, tenant, writer, place, noteOwner].join(' ');
    });
  }
}

export function namespaceOf({ row, place }: Plant): string | undefined {
  const { owner } = whatFindsWhat[row];
  if (owner === 'workspace namespace') return `workspace:${place}`;
  if (owner === 'team' || owner === 'org') return `${owner}:${place}`;
  return owner === 'granted namespace' ? place : undefined;
}

/** Returns the field of a request by which a service says for whom it asks. */
export function forUser({ service, user }: Reader): { user_id?: string } {
  return service === undefined ? {} : { user_id: user };
}

export function onBehalf({ service, user }: Reader, sign: '?' | '&'): string {
  return service === undefined ? '' : `${sign}user_id=${user}`;
}
