import type { Engine } from '../engine/engine.js';
import { expireMemories, expireNamespaces, forgetRemovals } from '../engine/memories/expire-memories.js';
import { indexPartition, tendLargePartitions } from '../engine/memories/index/tend-large-partitions.js';
import { refreshForms } from '../engine/memories/refresh-forms.js';
import { type Partition, partitionKey } from '../ports/memories.js';
import type { BackgroundWork } from './background-work.js';
import { listTenants } from './list-tenants.js';

const everyMs = 60_000;
const refreshTask = 'refresh memory forms';
const largeTask = 'tend large partitions';

/** What keeps memories in order while nobody asks for them. Tenants that have something waiting are looked after at once. */
export class MemoryTasks {
  readonly #background: BackgroundWork;
  readonly #waiting = new Set<string>();
  readonly #large = new Map<string, { tenantId: string; partition: Partition }>();
  #lastRoundMs = 0;

  constructor(background: BackgroundWork) {
    this.#background = background;
  }

  start(engine: Engine): void {
    this.#background.start({ name: refreshTask, everyMs, run: (signal) => this.#refresh(engine, signal) });
    this.#background.start({ name: largeTask, everyMs, run: (signal) => this.#tendLarge(engine, signal) });
    this.#background.start({ name: 'expire memories', everyMs, run: (signal) => expire(engine, signal) });
  }

  noteUnembedded(tenantId: string): void {
    this.#waiting.add(tenantId);
    this.#background.wake(refreshTask);
  }

  noteLarge(tenantId: string, partition: Partition): void {
    this.#large.set(`${tenantId}\n${partitionKey(partition)}`, { tenantId, partition });
    this.#background.wake(largeTask);
  }

  async #tendLarge(engine: Engine, signal: AbortSignal): Promise<void> {
    const noted = [...this.#large.values()];
    this.#large.clear();
    for (const { tenantId, partition } of noted) await indexPartition(engine, tenantId, partition, signal);
    await tendLargePartitions(engine, signal);
  }

  async #refresh(engine: Engine, signal: AbortSignal): Promise<void> {
    const due = Date.now() - this.#lastRoundMs >= everyMs;
    const tenants = due ? await listTenants(engine) : [...this.#waiting];
    if (due) this.#lastRoundMs = Date.now();
    this.#waiting.clear();
    for (const tenantId of tenants) await refreshForms(engine, tenantId, signal);
  }
}

async function expire(engine: Engine, signal: AbortSignal): Promise<void> {
  for (const tenantId of await listTenants(engine)) {
    signal.throwIfAborted();
    await expireMemories(engine, tenantId);
    await expireNamespaces(engine, tenantId);
    await forgetRemovals(engine, tenantId);
  }
}
