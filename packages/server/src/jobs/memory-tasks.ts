import type { Engine } from '../engine/engine.js';
import { expireMemories, expireNamespaces, forgetRemovals } from '../engine/memories/expire-memories.js';
import { refreshForms } from '../engine/memories/refresh-forms.js';
import type { BackgroundWork } from './background-work.js';
import { listTenants } from './list-tenants.js';

const everyMs = 60_000;
const refreshTask = 'refresh memory forms';

/** What keeps memories in order while nobody asks for them. Tenants that have something waiting are looked after at once. */
export class MemoryTasks {
  readonly #background: BackgroundWork;
  readonly #waiting = new Set<string>();
  #lastRoundMs = 0;

  constructor(background: BackgroundWork) {
    this.#background = background;
  }

  start(engine: Engine): void {
    this.#background.start({ name: refreshTask, everyMs, run: (signal) => this.#refresh(engine, signal) });
    this.#background.start({ name: 'expire memories', everyMs, run: (signal) => expire(engine, signal) });
  }

  noteUnembedded(tenantId: string): void {
    this.#waiting.add(tenantId);
    this.#background.wake(refreshTask);
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
