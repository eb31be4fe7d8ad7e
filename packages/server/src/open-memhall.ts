import { performance } from 'node:perf_hooks';
import type { Json } from '@memhall/core';
import { uuidv7 } from '@memhall/core';
import { startEngine } from './composition/start-engine.js';
import { readConfig } from './config/read-config.js';
import type { Caller } from './engine/caller.js';
import { forgetMemories } from './engine/memories/forget-memories.js';
import { getMemory } from './engine/memories/get-memory.js';
import { customKind } from './engine/memories/kinds.js';
import { listMemories } from './engine/memories/list-memories.js';
import { checkLabel } from './engine/memories/memory-input.js';
import { type NewMemory as EngineMemory, noteKind } from './engine/memories/new-memory.js';
import { type Recalled, type RecallInput, recall } from './engine/memories/recall/recall.js';
import { formBacklog } from './engine/memories/refresh-forms.js';
import { type Remembered, rememberMany } from './engine/memories/remember.js';
import type { MemoryScope } from './engine/memories/scope-partitions.js';
import { type MemoryChange, updateMemory } from './engine/memories/update-memory.js';
import type { Page } from './engine/page.js';
import { createLogger } from './http/logging.js';
import { OpenEngine } from './open-engine.js';
import type { Memory, MemoryFilter } from './ports/memories.js';

export interface MemhallOptions {
  /** Directory of the embedded database and the generated secrets. Default: `./data`. */
  dataDirectory?: string;
  /** URL of a PostgreSQL database to use instead of the embedded one. */
  databaseUrl?: string;
  embedder?: 'local' | 'openai' | 'none';
  /** Further settings by variable name, such as `MEMHALL_EMBEDDER_URL`. The process environment is not read. */
  environment?: Readonly<Record<string, string>>;
}

/** A Memhall instance in this process, without HTTP. */
export interface Memhall {
  /**
   * Returns the memory of one user. The default tenant is `default`. Names must have 1 to 256 characters without line
   * breaks or other control characters.
   */
  as(who: { tenant?: string; user: string; service?: string }): UserMemory;
  /**
   * Returns how many memories of a tenant have no vector yet and are found by their words only. Larger batches are
   * embedded after the write.
   */
  pendingEmbeddings(tenant?: string): Promise<number>;
  /** Waits for calls in progress and closes the database. Later calls fail with the code UNAVAILABLE. */
  close(): Promise<void>;
}

/** A memory to store. The kind is any label. Notes and memories of the kind `episodic` are stored without the secrets in them. */
export interface NewMemory extends Omit<EngineMemory, 'kind'> {
  kind: string;
}

/** A text, or a text with further fields. `kind` is `note` by default. */
export type RememberInput = string | (Omit<NewMemory, 'kind'> & { kind?: string });

export interface RecallOptions extends Partial<Omit<RecallInput, 'text' | 'scope'>> {
  /** Default: the user's own memories and the tenant's public memories. */
  scope?: MemoryScope;
}

const everything: MemoryScope = { own: true, public: true };
const defaultLimit = 10;

/**
 * Opens Memhall in this process. Call `close` when done; otherwise it closes when the program has nothing left to do.
 * @example
 * const memhall = await openMemhall();
 * const memory = memhall.as({ user: 'me' });
 * await memory.remember('I drink my tea without milk.');
 * const [best] = await memory.recall('What do I take in my tea?');
 */
export async function openMemhall(options: MemhallOptions = {}): Promise<Memhall> {
  const { environment = {}, ...flags } = options;
  const config = readConfig({ logLevel: 'warn', ...flags }, environment);
  const engine = new OpenEngine(await startEngine(config, createLogger(config.logLevel)));
  return {
    as({ tenant = 'default', user, service }) {
      engine.checkOpen();
      for (const [name, value] of Object.entries({ tenant, user, service: service ?? 'none' }))
        checkLabel(name, value ?? '');
      const actor = { userId: user, serviceId: service ?? null, roles: [] };
      return new UserMemory(engine, { tenantId: tenant, userId: user, actor });
    },
    pendingEmbeddings: async (tenant = 'default') => (await engine.use((parts) => formBacklog(parts, tenant))).count,
    close: () => engine.close(),
  };
}

/** The memory of one user. */
export class UserMemory {
  readonly #engine: OpenEngine;
  readonly #who: Omit<Caller, 'operation' | 'requestId'>;

  constructor(engine: OpenEngine, who: Omit<Caller, 'operation' | 'requestId'>) {
    this.#engine = engine;
    this.#who = who;
  }

  /**
   * Stores one memory, which is durable once this resolves. Without a kind it is a `note`, and storing the same
   * text again returns the same memory unless another external id is given.
   */
  async remember(input: RememberInput): Promise<Remembered> {
    const [result] = await this.rememberMany([input]);
    return result as Remembered;
  }

  /** Stores at most 500 memories, all or none. Returns the results in order. */
  rememberMany(inputs: readonly RememberInput[]): Promise<Remembered[]> {
    return this.#engine.use((engine) =>
      rememberMany(engine, this.#caller('memories.remember'), inputs.map(toEngineMemory)),
    );
  }

  /** Returns the best matching memories, best first. Without a text, matches by the embedding in the options alone. */
  recall(text: string | undefined, options: RecallOptions = {}): Promise<Recalled[]> {
    const { scope = everything, limit = defaultLimit, ...rest } = options;
    return this.#engine.use((engine) =>
      recall(engine, this.#caller('memories.recall'), { ...rest, text, scope, limit }),
    );
  }

  get(id: string): Promise<Memory | undefined> {
    return this.#engine.use((engine) => getMemory(engine, this.#caller('memories.get'), id));
  }

  /** Lists memories, newest first. */
  list(
    options: { scope?: MemoryScope; filter?: MemoryFilter; limit?: number; cursor?: string } = {},
  ): Promise<Page<Memory>> {
    const { scope = everything, limit = 20, ...rest } = options;
    return this.#engine.use((engine) => listMemories(engine, this.#caller('memories.list'), { ...rest, scope, limit }));
  }

  /** Changes a memory and embeds new content again. Returns undefined if the memory does not exist. */
  update(id: string, change: MemoryChange): Promise<Memory | undefined> {
    return this.#engine.use((engine) => updateMemory(engine, this.#caller('memories.update'), id, change));
  }

  /** Deletes memories permanently. Returns how many were deleted. */
  async forget(...ids: string[]): Promise<number> {
    return (await this.#engine.use((engine) => forgetMemories(engine, this.#caller('memories.forget'), ids))).length;
  }

  #caller(operation: string): Caller {
    return { ...this.#who, operation, requestId: uuidv7(), since: performance.now() };
  }
}

function toEngineMemory(input: RememberInput): EngineMemory {
  if (typeof input === 'string') return { content: input, kind: noteKind };
  return { ...input, kind: input.kind === undefined ? noteKind : customKind(input.kind) };
}

export type { Json, Memory, MemoryChange, MemoryFilter, MemoryScope, Page, Recalled, Remembered };
