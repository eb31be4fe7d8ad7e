import { Problem, StartUpError } from '@memhall/core';
import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { BuiltInHolding } from '../engine/cutover/built-in-holding.js';
import { LegacyHolding } from '../engine/cutover/legacy-holding.js';
import type { MemoryHolding } from '../engine/cutover/memory-holding.js';
import { OutsideHolding } from '../engine/cutover/outside-holding.js';
import type { Engine } from '../engine/engine.js';
import type { LegacyMemories } from '../ports/legacy-memories.js';
import type { MemoryPlugin } from '../ports/memory-plugin.js';
import { legacyUrlOf, openLegacy } from './open-legacy.js';

export interface OpenHolding {
  /** undefined: the older store, and none is configured. */
  holding: MemoryHolding | undefined;
  close(): Promise<void>;
}

/**
 * What administrators export and import, as the cutover flag says. The older store is opened when it is first needed.
 * `outside` is the plugin in use where it is not the built-in one.
 */
export function openHolding(
  config: Config,
  logger: Logger,
  engine: Engine,
  outside: MemoryPlugin | undefined,
): OpenHolding {
  const legacy = new LazyLegacy(config, logger);
  const { memoryPluginTenant: tenantId, cutover } = config;
  const close = () => legacy.close();
  if (!cutover) {
    const holding = legacyUrlOf(config) === undefined ? undefined : new LegacyHolding(() => legacy.get(), tenantId);
    return { holding, close };
  }
  const openLegacy = () => legacy.find();
  const holding =
    outside === undefined ? new BuiltInHolding(engine, openLegacy) : new OutsideHolding(outside, tenantId, openLegacy);
  return { holding, close };
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
      // Where it is, and as whom it is reached, is for the log only.
      if (error.cause !== undefined)
        throw new Problem('UNAVAILABLE', 'The older store cannot be reached.', { cause: error });
      throw new Problem('CONFLICT', error.message, { cause: error });
    }
  }

  /** undefined: there is none. A database that need not be an older store may turn out not to be one. */
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
