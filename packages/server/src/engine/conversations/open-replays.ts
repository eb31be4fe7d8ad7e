import type { Engine } from '../engine.js';
import type { ReplayRef } from './replay-conversation.js';

/** A replay without an update for this long was abandoned by its worker, or never reached the queue. */
const abandonedMs = 5 * 60_000;
const atOnce = 100;

/** Returns a tenant's queued or running replays that seem to be abandoned, oldest first. */
export async function openReplays(engine: Engine, tenantId: string): Promise<ReplayRef[]> {
  const since = new Date(engine.clock.now().getTime() - abandonedMs);
  const open = await engine.store.inspect(tenantId, (tables) => tables.replays.open(since, atOnce));
  return open.map(({ userId, replayId }) => ({ tenantId, userId, replayId }));
}
