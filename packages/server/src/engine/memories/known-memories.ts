import { type Memory, type Partition, partitionKey } from '../../ports/memories.js';
import type { Tables } from '../../ports/store.js';

/** The memories already stored under the keys of new ones. Kept up to date while the new ones are stored one by one. */
export class KnownMemories {
  readonly #byKey = new Map<string, Memory>();

  add(memory: Memory): void {
    for (const key of keysOf(memory)) this.#byKey.set(key, memory);
  }

  remove(memory: Memory): void {
    for (const key of keysOf(memory)) if (this.#byKey.get(key)?.id === memory.id) this.#byKey.delete(key);
  }

  byId(id: string): Memory | undefined {
    return this.#byKey.get(`id\n${id}`);
  }

  byExternalId(memory: Memory): Memory | undefined {
    return memory.externalId === null
      ? undefined
      : this.#byKey.get(`external\n${placeOf(memory)}\n${memory.externalId}`);
  }

  byContent(memory: Memory): Memory | undefined {
    return memory.uniqueContent ? this.#byKey.get(`content\n${placeOf(memory)}\n${memory.contentHash}`) : undefined;
  }
}

function placeOf({ partition, kind }: Memory): string {
  return `${partitionKey(partition)}\n${kind}`;
}

function keysOf(memory: Memory): string[] {
  return [
    `id\n${memory.id}`,
    ...(memory.externalId === null ? [] : [`external\n${placeOf(memory)}\n${memory.externalId}`]),
    ...(memory.uniqueContent ? [`content\n${placeOf(memory)}\n${memory.contentHash}`] : []),
  ];
}

/**
 * Looks up stored memories with the same keys. Memories without a key chosen by the caller cannot exist yet, so nothing
 * is looked up for them.
 */
export async function findKnown(
  tables: Tables,
  memories: readonly Memory[],
  givenIds: readonly string[],
): Promise<KnownMemories> {
  const known = new KnownMemories();
  const places = new Map<string, { partition: Partition; kind: string; members: Memory[] }>();
  for (const memory of memories) {
    const place = places.get(placeOf(memory)) ?? { partition: memory.partition, kind: memory.kind, members: [] };
    place.members.push(memory);
    places.set(placeOf(memory), place);
  }
  for (const { partition } of places.values()) if (partition.kind !== 'user') tables.memories.lock(partition);
  const found = await Promise.all([
    ...(givenIds.length === 0 ? [] : [tables.memories.findStored(givenIds)]),
    ...[...places.values()].flatMap(({ partition, kind, members }) => {
      const externalIds = members.flatMap(({ externalId }) => externalId ?? []);
      const hashes = members.flatMap(({ uniqueContent, contentHash }) => (uniqueContent ? [contentHash] : []));
      return [
        ...(externalIds.length === 0 ? [] : [tables.memories.findByExternalId(partition, kind, externalIds)]),
        ...(hashes.length === 0 ? [] : [tables.memories.findByContent(partition, kind, hashes)]),
      ];
    }),
  ]);
  for (const memory of found.flat()) known.add(memory);
  return known;
}
