import type { Engine } from '../engine.js';
import { replayConversation } from './replay-conversation.js';

/** A replay that nobody has heard of for so long was left by whoever ran it. */
const abandonedMs = 5 * 60_000;

/** Replays of a tenant that wait or were left half-way, oldest first. One that fails waits for the next round. */
export async function runOpenReplays(
  engine: Engine,
  tenantId: string,
  { olderThanMs = abandonedMs, signal }: { olderThanMs?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const since = new Date(engine.clock.now().getTime() - olderThanMs);
  const open = await engine.store.inspect(tenantId, (tables) => tables.replays.open(since, 100));
  for (const { userId, replayId } of open) {
    signal?.throwIfAborted();
    await replayConversation(engine, { tenantId, userId, replayId }, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      engine.onFault(error, 'replaying a conversation');
    });
  }
  return open.length;
}
