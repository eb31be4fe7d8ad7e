import type { LegacyMemories } from '../../ports/legacy-memories.js';
import type { Memory } from '../../ports/memories.js';
import { pluginMemoryKinds } from '../../ports/memory-plugin.js';
import { noVectors } from '../backfill/target-vectors.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { getMemory } from '../memories/get-memory.js';
import { listMemories } from '../memories/list-memories.js';
import { getNamespaces } from '../memories/namespaces.js';
import { BuiltInPlugin } from '../plugin/built-in-plugin.js';
import type { CarriedMemory } from './carried-memory.js';
import type { CarriedPage, CarriedQuery, Entrance, MemoryHolding } from './memory-holding.js';
import { PluginEntrance } from './plugin-entrance.js';
import { toCarried } from './to-carried.js';

/** The built-in plugin: every tenant has its own namespaces, and all memories of each can be listed. */
export class BuiltInHolding implements MemoryHolding {
  readonly name = 'plugin';
  readonly positionParts = 2;
  readonly tenantId = undefined;
  readonly #engine: Engine;
  readonly #openLegacy: () => Promise<LegacyMemories | undefined>;

  constructor(engine: Engine, openLegacy: () => Promise<LegacyMemories | undefined>) {
    this.#engine = engine;
    this.#openLegacy = openLegacy;
  }

  /**
   * Returns namespaces by name, and the memories of each newest first. A position without a cursor is after the end of
   * its namespace.
   */
  async page(caller: Caller, { position, limit, namespace }: CarriedQuery): Promise<CarriedPage> {
    const memories: CarriedMemory[] = [];
    let [after = '', cursor = ''] = position ?? [];
    for (;;) {
      const name = cursor === '' ? await this.#nextName(caller, after, namespace) : after;
      if (name === undefined) return { memories, position: undefined };
      const page = await listMemories(
        this.#engine,
        { ...caller, namespaces: [name] },
        {
          scope: { namespaces: [name] },
          filter: { kinds: pluginMemoryKinds },
          limit: limit - memories.length,
          cursor: cursor === '' ? undefined : cursor,
        },
      );
      memories.push(...page.items.map((memory) => fromMemory(memory, name)));
      [after, cursor] = [name, page.nextCursor ?? ''];
      if (memories.length >= limit) return { memories, position: [after, cursor] };
    }
  }

  async entrance(caller: Caller): Promise<Entrance> {
    const find = (name: string, id: string) => getMemory(this.#engine, { ...caller, namespaces: [name] }, id);
    const plugin = new BuiltInPlugin(this.#engine);
    return new PluginEntrance({ plugin, vectors: noVectors, openLegacy: this.#openLegacy, find }, caller);
  }

  async #nextName(caller: Caller, after: string, only: string | undefined): Promise<string | undefined> {
    if (only === undefined) {
      const now = this.#engine.clock.now();
      return this.#engine.store.inspect(caller.tenantId, (tables) => tables.namespaces.next(after, now));
    }
    if (after === only) return undefined;
    const [found] = await getNamespaces(this.#engine, { ...caller, namespaces: [only] }, [only]);
    return found?.name;
  }
}

function fromMemory(memory: Memory, namespace: string): CarriedMemory {
  return toCarried({ ...memory, namespace, source: memory.source ?? '' });
}
