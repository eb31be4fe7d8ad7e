import type { Engine } from '../engine.js';
import type { ReplayRef } from './replay-conversation.js';

/**
 * A replay that has been queued for this long may never have reached the queue, because the process died right after it
 * was stored. Short, since adding it again costs one statement.
 */
const queuedMs = 15_000;
/**
 * The queue restarts the job of a dead process itself. Only a replay whose job is gone stays running for this long, or
 * one that takes long: its job would be added twice, which is harmless.
 */
const runningMs = 5 * 60_000;
const atOnce = 100;

/** Returns a tenant's queued or running replays that seem to be abandoned, oldest first. */
export async function openReplays(engine: Engine, tenantId: string): Promise<ReplayRef[]> {
  const now = engine.clock.now().getTime();
  const since = { queued: new Date(now - queuedMs), running: new Date(now - runningMs) };
  const open = await engine.store.inspect(tenantId, (tables) => tables.replays.open(since, atOnce));
  return open.map(({ userId, replayId }) => ({ tenantId, userId, replayId }));
}
