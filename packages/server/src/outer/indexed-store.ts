import { performance } from 'node:perf_hooks';
import { Problem } from '@memhall/core';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Clock } from '../ports/clock.js';
import type { EventIndex } from '../ports/event-index.js';
import type { Scope, Store, Tables } from '../ports/store.js';
import { ForwardingStore } from './forwarding-store.js';
import { countingDocuments, IndexedTables, notingRestored, UnmarkedEvents } from './indexed-tables.js';
import { ownerOf } from './outer.js';

const maxTries = 5;

interface IndexedStoreOptions {
  clock: Clock;
  /** Called when events of this tenant wait for the index. */
  onUnindexed(tenantId: string): void;
}

/**
 * A database whose events are also in an outer index. Use cases see ordinary transactions. An event that is stored is listed as
 * waiting in the same transaction, so none can be lost on the way to the index. An event that is removed or replaced has no
 * document any more when its transaction commits. See docs/decisions/0050.
 */
export class IndexedStore extends ForwardingStore {
  readonly #index: EventIndex;
  readonly #options: IndexedStoreOptions;

  constructor(database: Store, index: EventIndex, options: IndexedStoreOptions) {
    super(database);
    this.#index = index;
    this.#options = options;
  }

  override write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    // A repeated attempt must not look as if its request had arrived later.
    const arrived = { ...scope, since: scope.since ?? performance.now() };
    return this.#tracing(ownerOf(scope), work, (traced) => this.database.write(arrived, traced));
  }

  override erase<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#tracing(ownerOf(scope), work, (traced) => this.database.erase(scope, traced));
  }

  /** The role that restores changes no rows, so restored events are marked afterwards. An interrupted import has to be repeated. */
  override async restore<T>(
    scope: Pick<Scope, 'tenantId' | 'userId'>,
    work: (tables: Tables) => Promise<T>,
  ): Promise<T> {
    const restored = new Set<string>();
    const result = await this.database.restore(scope, (tables) => work(notingRestored(tables, restored)));
    if (restored.size > 0) {
      await this.#mark(ownerOf(scope), [...restored]);
      this.#options.onUnindexed(scope.tenantId);
    }
    return result;
  }

  override inspect<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.database.inspect(tenantId, (tables) => work(countingDocuments(this.#index, tenantId, tables)));
  }

  async #tracing<T>(
    owner: ArtifactOwner,
    work: (tables: Tables) => Promise<T>,
    run: (traced: (tables: Tables) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; tries <= maxTries; tries++) {
      let hasPut = false;
      try {
        const result = await run(async (tables) => {
          const traced = new IndexedTables(this.#index, owner, tables, this.#options.clock.now());
          const result = await work(traced.tables);
          await traced.finish();
          hasPut = traced.hasPut;
          return result;
        });
        if (hasPut) this.#options.onUnindexed(owner.tenantId);
        return result;
      } catch (error) {
        if (!(error instanceof UnmarkedEvents)) throw error;
        await this.#mark(owner, error.eventIds);
      }
    }
    throw new Problem('UNAVAILABLE', 'The events are being changed by others. Try again shortly.', {
      retryAfterSeconds: 1,
    });
  }

  #mark(owner: ArtifactOwner, eventIds: readonly string[] | 'all'): Promise<void> {
    return this.database.write(owner, async ({ unindexedEvents }) => {
      if (eventIds === 'all') unindexedEvents.addAll(this.#options.clock.now());
      else unindexedEvents.add(eventIds, this.#options.clock.now());
    });
  }
}
