import { ulid } from '@memhall/core';
import type { ConversationMessage } from '../../ports/extractor.js';
import type { Replay } from '../../ports/replays.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { sealSnapshot, snapshotTarget, snapshotUri } from './snapshot.js';

interface SnapshotInput {
  conversationId: string;
  profileId: string;
  messages: ConversationMessage[];
  /** Whether to extract what is worth remembering. */
  replay: boolean;
}

interface TakenSnapshot {
  snapshotId: string;
  uri: string;
  replayId: string | null;
}

/** Stores an encrypted conversation and queues its replay. Throws PROFILE_NOT_FOUND. */
export async function takeSnapshot(engine: Engine, caller: Caller, input: SnapshotInput): Promise<TakenSnapshot> {
  const { conversationId, profileId, messages } = input;
  const taken = await mutate(engine, caller, async (tables, now) => {
    await engine.registry.profile(tables, profileId);
    const { tenantId, userId } = caller;
    const place = { tenantId, userId, conversationId, snapshotId: `snp_${ulid(now.getTime())}` };
    const content = { profile_id: profileId, messages };
    const artifact = await sealSnapshot(tables, engine.cipher, place, content, now);
    tables.artifacts.put(artifact);
    const replayId = input.replay ? `rpl_${ulid(now.getTime())}` : null;
    if (replayId !== null) tables.replays.put(newReplay(replayId, place, profileId, now));
    const mutation = { target: snapshotTarget(place), preEtag: null, postEtag: artifact.etag, contentHash: null };
    return { result: { snapshotId: place.snapshotId, uri: snapshotUri(place), replayId }, mutations: [mutation] };
  });
  if (taken.replayId !== null)
    engine.onReplayQueued({ tenantId: caller.tenantId, userId: caller.userId, replayId: taken.replayId });
  return taken;
}

function newReplay(
  replayId: string,
  { conversationId, snapshotId }: { conversationId: string; snapshotId: string },
  profileId: string,
  now: Date,
): Replay {
  return {
    replayId,
    conversationId,
    snapshotId,
    profileId,
    status: 'queued',
    attempts: 0,
    outcome: null,
    error: null,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  };
}
