import { Problem } from '@memhall/core';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord } from '../caller.js';
import type { Engine } from '../engine.js';
import { openSnapshot, snapshotTarget, unpackSnapshot } from './snapshot.js';

interface ReadSnapshot {
  etag: string;
  takenAt: Date;
  /** JSON of a `SnapshotContent`. */
  json: Buffer;
}

/** Decrypts a snapshot and records who read it. Throws NOT_FOUND or SNAPSHOT_UNREADABLE. */
export async function readSnapshot(
  engine: Engine,
  caller: Caller,
  { conversationId, snapshotId }: { conversationId: string; snapshotId: string },
): Promise<ReadSnapshot> {
  const { tenantId, userId } = caller;
  const place = { tenantId, userId, conversationId, snapshotId };
  const { packed, ...snapshot } = await mutate(engine, onTheRecord(caller), async (tables) => {
    const opened = await openSnapshot(tables, engine.cipher, place);
    if (opened === undefined) throw new Problem('NOT_FOUND', 'The snapshot does not exist.');
    const { etag } = opened;
    const reading = { target: snapshotTarget(place), preEtag: etag, postEtag: etag, contentHash: null };
    return { result: opened, mutations: [reading] };
  });
  return { ...snapshot, json: await unpackSnapshot(packed) };
}
