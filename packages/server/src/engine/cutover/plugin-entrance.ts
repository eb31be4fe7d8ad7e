import { jsonEqual, type OptionalLabel, redact } from '@memhall/core';
import type { LegacyMemories } from '../../ports/legacy-memories.js';
import type { MemoryPlugin, NewPluginMemory, PluginMemory } from '../../ports/memory-plugin.js';
import { type MappedNamespace, mapNamespace, RowFault } from '../backfill/map-namespace.js';
import { PluginTarget } from '../backfill/plugin-target.js';
import type { VectorSupply } from '../backfill/target-vectors.js';
import { toPluginWrite } from '../backfill/to-plugin-write.js';
import type { Caller } from '../caller.js';
import { hashOf } from '../memories/new-memory.js';
import { isNamespaceName } from '../namespace-names.js';
import type { CarriedMemory } from './carried-memory.js';
import type { BroughtIn } from './memory-holding.js';

const namespaceKinds = ['workspace', 'team', 'org'] as const;
/** Few and short retries, because the client is waiting for the response. */
const pauses = { maxRetries: 2, baseDelayMs: 100, maxDelayMs: 500 };
const never = new AbortController().signal;

type Write = NewPluginMemory & { id: string };
type Stored = Pick<PluginMemory, 'content' | 'kind' | 'isPinned' | 'expiresAt' | 'propagation'> & {
  source: string | null;
};

export interface PluginEntranceParts {
  plugin: MemoryPlugin;
  /** Provides the parents of workspaces; undefined if there is no older store. */
  openLegacy(): Promise<LegacyMemories | undefined>;
  vectors: VectorSupply;
  /** Returns the memory stored under this id; default: as a search finds it. */
  find?(namespace: string, id: string): Promise<Stored | undefined>;
}

/** Imports memories into a plugin, for one request. */
export class PluginEntrance {
  readonly #parts: PluginEntranceParts;
  readonly #target: PluginTarget;

  constructor(parts: PluginEntranceParts, caller: Caller) {
    this.#parts = parts;
    this.#target = new PluginTarget(parts.plugin, caller, { signal: never, vectors: parts.vectors, pauses });
  }

  async bringIn(memory: CarriedMemory, also: readonly OptionalLabel[]): Promise<BroughtIn> {
    const namespace = await this.#namespaceOf(memory);
    const { write, found } = toWrite(memory, also);
    const stored = await this.#find(namespace.name, write);
    if (stored !== undefined && isSame(stored, await this.#target.prepare(write))) {
      return { outcome: 'skipped', found: {}, record: null };
    }
    await this.#target.commit(namespace, write);
    const record = { target: `memory/${write.kind}/${write.id}`, contentHash: hashOf(write.content) };
    return { outcome: 'imported', found, record: this.#parts.plugin.keepsAudit ? null : record };
  }

  /** If it is not found, it is written again, which is harmless. */
  async #find(namespace: string, write: Write): Promise<Stored | undefined> {
    if (this.#parts.find !== undefined) return this.#parts.find(namespace, write.id);
    const found = await this.#target.searchLike(namespace, write);
    return found.find(({ id }) => id === write.id);
  }

  async #namespaceOf({ scope, workspaceId = '', namespace = '' }: CarriedMemory): Promise<MappedNamespace> {
    if (scope === undefined) {
      if (!isNamespaceName(namespace)) throw new RowFault('has neither a scope nor a namespace');
      return { name: namespace, kind: namespaceKinds.find((kind) => namespace.startsWith(`${kind}:`)) ?? 'custom' };
    }
    const needsChain = (scope === 'TEAM' || scope === 'GLOBAL') && workspaceId !== '';
    const legacy = needsChain ? await this.#parts.openLegacy() : undefined;
    const chains = await legacy?.chains([workspaceId]);
    return mapNamespace({ scope, workspaceId }, chains?.get(workspaceId) ?? { ids: [], parentOfLast: null });
  }
}

function toWrite(memory: CarriedMemory, also: readonly OptionalLabel[]): { write: Write; found: BroughtIn['found'] } {
  const { id, content, scope, workspaceId = '', namespace, createdAt } = memory;
  if (scope !== undefined) {
    const row = { id, content, scope, workspaceId, label: namespace ?? null, createdAt: createdAt ?? null };
    const made = toPluginWrite({ ...row, sizeBytes: 0 }, also);
    if (made === undefined) throw new RowFault('is blank');
    return { write: made.memory, found: made.found };
  }
  const { text, found } = redact(content.normalize('NFC'), also);
  const { kind = 'fact', source = 'agent', isPinned = false, expiresAt, propagation } = memory;
  return { write: { id, content: text, kind, source, isPinned, expiresAt, propagation }, found };
}

function isSame(stored: Stored, write: NewPluginMemory): boolean {
  return (
    stored.content === write.content &&
    stored.kind === write.kind &&
    stored.source === write.source &&
    stored.isPinned === (write.isPinned ?? false) &&
    stored.expiresAt?.getTime() === write.expiresAt?.getTime() &&
    jsonEqual(stored.propagation, write.propagation ?? null)
  );
}
