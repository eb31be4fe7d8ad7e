import { Problem } from '@memhall/core';
import type { LegacyMemories } from '../../ports/legacy-memories.js';
import { type PluginMemory, pluginMemoryKinds } from '../../ports/memory-plugin.js';
import { mostResults } from '../backfill/plugin-target.js';
import type { Caller } from '../caller.js';
import type { PluginNamespaces } from '../host/plugin-namespaces.js';
import { isNamespaceName } from '../namespace-names.js';
import type { CarriedMemory } from './carried-memory.js';
import type { CarriedPage, CarriedQuery, Entrance, MemoryHolding } from './memory-holding.js';
import { PluginEntrance, type PluginEntranceParts } from './plugin-entrance.js';
import { toCarried } from './to-carried.js';

const prefixes = ['workspace', 'team', 'org'] as const;
/** Names of the plugin that are looked at together, as long as they belong to workspaces of the older store. */
const nameBatch = 100;

interface OutsideParts extends PluginEntranceParts {
  namespaces: PluginNamespaces;
}

/** Namespaces that are read together, and how a position names them. */
interface Place {
  names: string[];
  position: string;
}

/**
 * An external plugin. The contract has neither a list of namespaces nor pages. Its namespaces are therefore those named
 * after the workspaces of the older store, then the others that the host has used. Only the newest hundred memories of
 * each kind can be read from each. Namespaces with more are reported as truncated.
 */
export class OutsideHolding implements MemoryHolding {
  readonly name = 'plugin';
  readonly positionParts = 2;
  readonly tenantId: string;
  readonly #parts: OutsideParts;

  constructor(tenantId: string, parts: OutsideParts) {
    this.tenantId = tenantId;
    this.#parts = parts;
  }

  /** A position is a place and the number of memories already returned from it; without a number, it is done. */
  async page(caller: Caller, { position, limit, namespace }: CarriedQuery): Promise<CarriedPage> {
    const [at = beforeWorkspaces, given = ''] = position ?? [];
    if (!/^(workspace|name)\//.test(at) || !/^\d*$/.test(given)) {
      throw new Problem('INVALID_REQUEST', 'The cursor is not valid.');
    }
    const place = namespace === undefined ? await this.#place(at, given) : { position: '', names: [namespace] };
    if (place === undefined) return { memories: [], position: undefined };
    const { memories, truncated } = await this.#readAll(caller, place.names);
    const end = Number(given) + limit;
    const page = { memories: memories.slice(Number(given), end), truncated };
    if (memories.length > end) return { ...page, position: [place.position, String(end)] };
    return { ...page, position: namespace === undefined ? [place.position, ''] : undefined };
  }

  async entrance(caller: Caller): Promise<Entrance> {
    return new PluginEntrance(this.#parts, caller);
  }

  async #place(at: string, given: string): Promise<Place | undefined> {
    const [isWorkspace, id] = [at.startsWith(beforeWorkspaces), at.slice(at.indexOf('/') + 1)];
    if (given !== '') return isWorkspace ? placeOfWorkspace(id) : placeOfName(id);
    const legacy = await this.#parts.openLegacy();
    if (!isWorkspace) return this.#nextName(legacy, id);
    const [next] = (await legacy?.workspaces({ after: id, limit: 1 })) ?? [];
    return next === undefined ? this.#nextName(legacy, '') : placeOfWorkspace(next);
  }

  /** Skips names of workspaces, which have been read before. */
  async #nextName(legacy: LegacyMemories | undefined, after: string): Promise<Place | undefined> {
    for (let last = after; ; ) {
      const names = await this.#parts.namespaces.list(this.tenantId, last, nameBatch);
      if (names.length === 0 && last === '' && legacy === undefined) throw noNames();
      const ofWorkspaces = legacy === undefined ? new Set() : await namesOfWorkspaces(legacy, names);
      const name = names.find((one) => !ofWorkspaces.has(one));
      if (name !== undefined) return placeOfName(name);
      if (names.length < nameBatch) return undefined;
      last = names.at(-1) ?? '';
    }
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

const beforeWorkspaces = 'workspace/';

function placeOfWorkspace(id: string): Place {
  const names = prefixes.map((prefix) => `${prefix}:${id}`).filter(isNamespaceName);
  return { names, position: `${beforeWorkspaces}${id}` };
}

function placeOfName(name: string): Place {
  return { names: [name], position: `name/${name}` };
}

async function namesOfWorkspaces(legacy: LegacyMemories, names: readonly string[]): Promise<Set<string>> {
  const idOf = (name: string) => name.slice(name.indexOf(':') + 1);
  const candidates = names.filter((name) => prefixes.some((prefix) => name.startsWith(`${prefix}:`)));
  const chains = await legacy.chains([...new Set(candidates.map(idOf))]);
  return new Set(candidates.filter((name) => (chains.get(idOf(name))?.ids.length ?? 0) > 0));
}

function noNames(): Problem {
  return new Problem(
    'INVALID_REQUEST',
    'This plugin cannot list its namespaces, the host has not used any yet, and there is no older store to derive them from: choose one with ?namespace=.',
  );
}
