import { Problem, StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { BuiltInHolding } from '../engine/cutover/built-in-holding.js';
import { LegacyHolding } from '../engine/cutover/legacy-holding.js';
import type { MemoryHolding } from '../engine/cutover/memory-holding.js';
import { OutsideHolding } from '../engine/cutover/outside-holding.js';
import type { Engine } from '../engine/engine.js';
import type { LegacyMemories } from '../ports/legacy-memories.js';
import type { OutsidePlugin } from './create-host.js';
import { legacyUrlOf, openLegacy } from './open-legacy.js';

interface OpenHolding {
  /** undefined if it would be the older store and none is configured. */
  holding: MemoryHolding | undefined;
  close(): Promise<void>;
}

/**
 * Chooses the memories that administrators export and import, depending on the cutover flag. The older store is opened
 * when it is first needed. `outside` is the memory plugin in use, undefined for the built-in one.
 */
export function openHolding(
  config: Config,
  logger: Logger,
  engine: Engine,
  outside: OutsidePlugin | undefined,
): OpenHolding {
  const legacy = new LazyLegacy(config, logger);
  const { memoryPluginTenant: tenantId, cutover } = config;
  const close = () => legacy.close();
  if (!cutover) {
    const holding = legacyUrlOf(config) === undefined ? undefined : new LegacyHolding(() => legacy.get(), tenantId);
    return { holding, close };
  }
  const openLegacy = () => legacy.find();
  if (outside === undefined) return { holding: new BuiltInHolding(engine, openLegacy), close };
  const vectors = { source: config.memoryPluginVectors, openEmbedder: async () => engine.embedder };
  return { holding: new OutsideHolding(tenantId, { ...outside, vectors, openLegacy }), close };
}

class LazyLegacy {
  readonly #config: Config;
  readonly #logger: Logger;
  #opening: Promise<LegacyMemories> | undefined;

  constructor(config: Config, logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  async get(): Promise<LegacyMemories> {
    this.#opening ??= openLegacy(this.#config, this.#logger, { writable: !this.#config.cutover });
    try {
      return await this.#opening;
    } catch (error) {
      // The next request tries again.
      this.#opening = undefined;
      if (!(error instanceof StartUpError)) throw error;
      // The cause contains the address and the user name, which must only appear in the log.
      if (error.cause !== undefined)
        throw new Problem('UNAVAILABLE', 'The older store cannot be reached. Try again later.', { cause: error });
      throw new Problem('CONFLICT', error.message, { cause: error });
    }
  }

  /**
   * Returns undefined if there is no older store. If only DATABASE_URL is set, its database may turn out not to be one,
   * which is not an error.
   */
  async find(): Promise<LegacyMemories | undefined> {
    if (legacyUrlOf(this.#config) === undefined) return undefined;
    const isNone = (error: unknown) => error instanceof Problem && error.code === 'CONFLICT';
    return this.get().catch((error: unknown) => {
      if (this.#config.legacyDatabaseUrl !== undefined || !isNone(error)) throw error;
      return undefined;
    });
  }

  async close(): Promise<void> {
    const legacy = await this.#opening?.catch(() => undefined);
    await legacy?.close();
  }
}
