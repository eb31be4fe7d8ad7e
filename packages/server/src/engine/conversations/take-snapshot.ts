import { ulid } from '@memhall/core';
import type { ConversationMessage } from '../../ports/extractor.js';
import type { Replay } from '../../ports/replays.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord, nilUlid } from '../audit/off-the-record.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { packSnapshot, sealSnapshot, snapshotTarget, snapshotUri } from './snapshot.js';

interface SnapshotInput {
  conversationId: string;
  profileId: string;
  /** Or their JSON: writing that of a large conversation takes a while, and may have been done in a thread. */
  messages: readonly ConversationMessage[] | Uint8Array;
  /** Whether to extract what is worth remembering. */
  replay: boolean;
}

interface TakenSnapshot {
  snapshotId: string;
  uri: string;
  replayId: string | null;
}

/** Stores an encrypted conversation and queues its replay, unless it is off the record. Throws PROFILE_NOT_FOUND. */
export async function takeSnapshot(engine: Engine, caller: Caller, input: SnapshotInput): Promise<TakenSnapshot> {
  const { conversationId, profileId } = input;
  if (await isOffTheRecord(engine, caller, conversationId)) {
    const { tenantId, userId } = caller;
    const place = { tenantId, userId, conversationId, snapshotId: `snp_${nilUlid}` };
    return { snapshotId: place.snapshotId, uri: snapshotUri(place), replayId: null };
  }
  const packed = await packSnapshot(toJson(input));
  const taken = await mutate(engine, caller, async (tables, now) => {
    await engine.registry.profile(tables, profileId);
    const { tenantId, userId } = caller;
    const place = { tenantId, userId, conversationId, snapshotId: `snp_${ulid(now.getTime())}` };
    const artifact = await sealSnapshot(tables, engine.cipher, place, packed, now);
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

/** Returns the JSON of a `SnapshotContent`. */
function toJson({ profileId, messages }: SnapshotInput): Uint8Array {
  const listed = messages instanceof Uint8Array ? messages : Buffer.from(JSON.stringify(messages), 'utf8');
  const beginning = Buffer.from(`{"profile_id":${JSON.stringify(profileId)},"messages":`, 'utf8');
  return Buffer.concat([beginning, listed, Buffer.from('}', 'utf8')]);
}

export function newReplay(
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
