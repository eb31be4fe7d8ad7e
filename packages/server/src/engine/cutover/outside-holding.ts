import { Problem } from '@memhall/core';
import { type PluginMemory, pluginMemoryKinds } from '../../ports/memory-plugin.js';
import { mostResults } from '../backfill/plugin-target.js';
import type { Caller } from '../caller.js';
import { isNamespaceName } from '../host/namespace-grants.js';
import type { CarriedMemory } from './carried-memory.js';
import type { CarriedPage, CarriedQuery, Entrance, MemoryHolding } from './memory-holding.js';
import { PluginEntrance, type PluginEntranceParts } from './plugin-entrance.js';
import { toCarried } from './to-carried.js';

const prefixes = ['workspace', 'team', 'org'] as const;

/**
 * An external plugin. The contract has neither a list of namespaces nor pages. Its namespaces are therefore derived
 * from the workspaces of the older store, and only the newest hundred memories of each kind can be read from each.
 * Namespaces with more are reported as truncated.
 */
export class OutsideHolding implements MemoryHolding {
  readonly name = 'plugin';
  readonly positionParts = 2;
  readonly tenantId: string;
  readonly #parts: PluginEntranceParts;

  constructor(tenantId: string, parts: PluginEntranceParts) {
    this.tenantId = tenantId;
    this.#parts = parts;
  }

  /** A position is the previous workspace and the number of memories already returned from the next one. */
  async page(caller: Caller, { position, limit, namespace }: CarriedQuery): Promise<CarriedPage> {
    const [before = '', given = '0'] = position ?? [];
    const place = namespace === undefined ? await this.#nextPlace(before) : { id: '', names: [namespace] };
    if (place === undefined) return { memories: [], position: undefined };
    const { memories, truncated } = await this.#readAll(caller, place.names);
    const end = Number(given) + limit;
    const page = { memories: memories.slice(Number(given), end), truncated };
    if (memories.length > end) return { ...page, position: [before, String(end)] };
    return { ...page, position: namespace === undefined ? [place.id, '0'] : undefined };
  }

  async entrance(caller: Caller): Promise<Entrance> {
    return new PluginEntrance(this.#parts, caller);
  }

  async #nextPlace(after: string): Promise<{ id: string; names: string[] } | undefined> {
    const legacy = await this.#parts.openLegacy();
    if (legacy === undefined) {
      throw new Problem(
        'INVALID_REQUEST',
        'This plugin cannot list its namespaces, and there is no older store to derive them from: choose one with ?namespace=.',
      );
    }
    const [id] = await legacy.workspaces({ after, limit: 1 });
    return id === undefined
      ? undefined
      : { id, names: prefixes.map((prefix) => `${prefix}:${id}`).filter(isNamespaceName) };
  }

  async #readAll(
    caller: Caller,
    names: readonly string[],
  ): Promise<{ memories: CarriedMemory[]; truncated: string[] }> {
    const found = await Promise.all(names.map((name) => this.#readNamespace(caller, name)));
    const truncated = names.filter((_, index) => found[index]?.isWhole === false);
    return { memories: found.flatMap(({ memories }) => memories).map(toCarried), truncated };
  }

  /** Every memory has exactly one kind: if no kind fills a result list, all memories have been read. */
  async #readNamespace(caller: Caller, name: string): Promise<{ memories: PluginMemory[]; isWhole: boolean }> {
    const namespaces = [name];
    const newest = await this.#parts.plugin.search(caller, { namespaces, limit: mostResults });
    if (newest.length < mostResults) return { memories: newest, isWhole: true };
    const byKind = await Promise.all(
      pluginMemoryKinds.map((kind) =>
        this.#parts.plugin.search(caller, { namespaces, kinds: [kind], limit: mostResults }),
      ),
    );
    return { memories: byKind.flat(), isWhole: byKind.every(({ length }) => length < mostResults) };
  }
}
