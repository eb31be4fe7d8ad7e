import { type Json, Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type {
  MemoryPlugin,
  NewPluginMemory,
  NewPluginNamespace,
  PluginCall,
  PluginHealth,
  PluginMemory,
  PluginNamespace,
  PluginSearch,
} from '../../ports/memory-plugin.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { learner } from '../facts/learn-facts.js';
import { browseMemories } from '../memories/browse-memories.js';
import { findAnywhere } from '../memories/find-anywhere.js';
import { findById } from '../memories/find-by-id.js';
import { forgetMemories } from '../memories/forget-memories.js';
import { deleteNamespace, getNamespaces, putNamespace, updateNamespace } from '../memories/namespaces.js';
import { recall } from '../memories/recall/recall.js';
import { remember } from '../memories/remember.js';
import { builtInCapabilities } from './built-in-capabilities.js';
import { originOf } from './legacy-origin.js';

export const storeIsDown: PluginHealth = { status: 'degraded', version: '1', capabilities: [] };

/** Memory plugin v1 on top of the engine: served by the plugin listener, and used by the host without HTTP. */
export class BuiltInPlugin implements MemoryPlugin {
  readonly keepsAudit = true;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async health(): Promise<PluginHealth> {
    const working = await this.#engine.store.ping().then(
      () => true,
      () => false,
    );
    if (!working) return storeIsDown;
    const embedding = this.#engine.embedder === null ? [] : (['embedding'] as const);
    return { status: 'ok', version: '1', capabilities: [...embedding, ...builtInCapabilities] };
  }

  putNamespace(call: PluginCall, namespace: NewPluginNamespace): Promise<PluginNamespace> {
    return putNamespace(this.#engine, writerOf(call, namespace.name), namespace);
  }

  async updateNamespace(
    call: PluginCall,
    name: string,
    change: { expiresAt?: Date | null | undefined; metadata?: { [key: string]: Json } | null | undefined },
  ): Promise<PluginNamespace> {
    const namespace = await updateNamespace(this.#engine, writerOf(call, name), name, change);
    if (namespace === undefined) throw noSuchNamespace(name);
    return namespace;
  }

  async deleteNamespace(call: PluginCall, name: string): Promise<void> {
    if (!(await deleteNamespace(this.#engine, writerOf(call, name), name))) throw noSuchNamespace(name);
  }

  async commit(call: PluginCall, namespace: string, { id, ...memory }: NewPluginMemory): Promise<string> {
    const known = id?.toLowerCase();
    if (known !== undefined) await this.#checkPlace(call.tenantId, known, namespace);
    const writer = writerOf(call, namespace);
    const dates = originalDates(memory, this.#engine.clock.now());
    const stored = await withContractErrors(
      remember(
        this.#engine,
        writer,
        { ...memory, ...dates, id: known, visibility: { namespace } },
        { follows: learner(this.#engine, writer) },
      ),
    );
    return stored.memory.id;
  }

  async search(
    call: PluginCall,
    { namespaces, query, kinds, limit, embedding }: PluginSearch,
  ): Promise<PluginMemory[]> {
    const caller = readerOf(call, [...new Set(namespaces)]);
    const present = (await getNamespaces(this.#engine, caller, namespaces)).map(({ name }) => name);
    if (present.length === 0) return [];
    const scope = { namespaces: present };
    const filter = { kinds: kinds === undefined || kinds.length === 0 ? undefined : kinds };
    const text = query !== undefined && query.trim() !== '' ? query : undefined;
    if (text === undefined && embedding === undefined) {
      const memories = await browseMemories(this.#engine, caller, { scope, filter, limit });
      return memories.map((memory) => toPluginMemory(memory));
    }
    const named = await findById(this.#engine, caller, { id: text, scope, filter });
    if (named !== undefined) return [toPluginMemory(named, 1)];
    const wanted = { text, embedding, scope, filter, limit, pinnedFirst: true, signal: call.signal };
    const found = await withContractErrors(recall(this.#engine, caller, wanted));
    return found.map(({ memory, score }) => toPluginMemory(memory, score));
  }

  async forget(call: PluginCall, id: string, namespace: string): Promise<void> {
    const known = id.toLowerCase();
    await this.#checkPlace(call.tenantId, known, namespace);
    const forgotten = await forgetMemories(this.#engine, writerOf(call, namespace), [known]);
    if (forgotten.length === 0) throw new Problem('NOT_FOUND', 'There is no such memory.');
  }

  /** Throws FORBIDDEN if a memory with this id belongs to another namespace. */
  async #checkPlace(tenantId: string, id: string, namespace: string): Promise<void> {
    const memory = await findAnywhere(this.#engine, tenantId, id);
    if (memory?.partition.kind === 'namespace' && memory.partition.name !== namespace) {
      throw livesElsewhere();
    }
  }
}

/** The plugin only knows namespaces; the host decides who may use which. */
function readerOf({ signal: _signal, ...call }: PluginCall, namespaces: readonly string[]): Caller {
  return { ...call, namespaces };
}

function writerOf(call: PluginCall, namespace: string): Caller {
  return { ...readerOf(call, [namespace]), writableNamespaces: [namespace] };
}

/** A memory that was copied from an older store keeps the date it had there. */
function originalDates({ propagation }: Pick<NewPluginMemory, 'propagation'>, now: Date) {
  const createdAt = originOf(propagation)?.createdAt;
  return createdAt == null || createdAt > now ? {} : { createdAt, occurredAt: createdAt };
}

function toPluginMemory(memory: Memory, score?: number): PluginMemory {
  const { id, content, kind, expiresAt, propagation, isPinned, createdAt } = memory;
  const namespace = memory.partition.kind === 'namespace' ? memory.partition.name : '';
  return {
    ...{ id, namespace, content, kind, source: memory.source ?? '' },
    ...{ expiresAt, propagation, isPinned, createdAt, score },
  };
}

function noSuchNamespace(name: string): Problem {
  return new Problem('NOT_FOUND', `Namespace ${name} does not exist.`);
}

function livesElsewhere(): Problem {
  return new Problem('FORBIDDEN', 'The memory with this id belongs to another namespace.');
}

/** The contract has neither 422 nor 409. A conflicting id was just taken by a concurrent write to another namespace. */
async function withContractErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem && error.code === 'CONFLICT') throw livesElsewhere();
    if (!(error instanceof Problem && error.status === 422)) throw error;
    throw new Problem('INVALID_REQUEST', error.message, error.details === undefined ? {} : { details: error.details });
  }
}
