import { Problem, ulid } from '@memhall/core';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { snapshotTarget } from './snapshot.js';
import { newReplay } from './take-snapshot.js';

/**
 * Queues another replay of a snapshot, under the profile as it is now. What is known already is not proposed again. Returns the id of
 * the replay. Throws NOT_FOUND or PROFILE_NOT_FOUND.
 */
export async function replayAgain(
  engine: Engine,
  caller: Caller,
  { conversationId, snapshotId, profileId }: { conversationId: string; snapshotId: string; profileId: string },
): Promise<string> {
  const { tenantId, userId } = caller;
  const replayId = await mutate(engine, caller, async (tables, now) => {
    await engine.registry.profile(tables, profileId);
    const snapshot = await tables.artifacts.get({ kind: 'snapshot', folder: conversationId, name: snapshotId });
    if (snapshot === undefined) throw new Problem('NOT_FOUND', 'The snapshot does not exist.');
    const id = `rpl_${ulid(now.getTime())}`;
    tables.replays.put(newReplay(id, { conversationId, snapshotId }, profileId, now));
    const { etag } = snapshot;
    const target = snapshotTarget({ conversationId, snapshotId });
    const queued = { target, preEtag: etag, postEtag: etag, contentHash: null, details: { replay_id: id } };
    return { result: id, mutations: [queued] };
  });
  engine.onReplayQueued({ tenantId, userId, replayId });
  return replayId;
}
