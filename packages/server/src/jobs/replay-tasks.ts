import { type ReplayRef, replayConversation } from '../engine/conversations/replay-conversation.js';
import { runOpenReplays } from '../engine/conversations/run-open-replays.js';
import { retryUnresolved } from '../engine/conversations/unresolved.js';
import type { Engine } from '../engine/engine.js';
import type { BackgroundWork } from './background-work.js';
import { listTenants } from './list-tenants.js';

const everyMs = 60_000;
const replayTask = 'replay conversations';

/** Replays conversations as they come, and those that were left; tries patches again that met a conflict. */
export class ReplayTasks {
  readonly #background: BackgroundWork;
  readonly #queued: ReplayRef[] = [];

  constructor(background: BackgroundWork) {
    this.#background = background;
  }

  start(engine: Engine): void {
    this.#background.start({
      name: replayTask,
      everyMs,
      run: async (signal) => {
        for (let next = this.#queued.shift(); next !== undefined; next = this.#queued.shift()) {
          signal.throwIfAborted();
          await replayConversation(engine, next, signal);
        }
      },
    });
    this.#background.start({
      name: 'look after replays',
      everyMs,
      run: async (signal) => {
        for (const tenantId of await listTenants(engine)) {
          signal.throwIfAborted();
          await runOpenReplays(engine, tenantId, { signal });
          await retryUnresolved(engine, tenantId, signal);
        }
      },
    });
  }

  noteQueued(replay: ReplayRef): void {
    this.#queued.push(replay);
    this.#background.wake(replayTask);
  }
}
