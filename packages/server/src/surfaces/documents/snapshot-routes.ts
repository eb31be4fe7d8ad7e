import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Caller } from '../../engine/caller.js';
import { listSnapshots } from '../../engine/conversations/list-snapshots.js';
import { readSnapshot } from '../../engine/conversations/read-snapshot.js';
import { snapshotUri } from '../../engine/conversations/snapshot.js';
import { takeSnapshot } from '../../engine/conversations/take-snapshot.js';
import type { Engine } from '../../engine/engine.js';
import { defineRoute } from '../../http/route.js';
import { Id, pageQuery, toNextCursor } from '../../http/wire-schemas.js';
import { readSnapshotBody } from './read-snapshot-body.js';
import { serviceHeader, withService } from './shared-schemas.js';
import { Snapshot, SnapshotList, SnapshotTaken, snapshotBody, snapshotParams } from './snapshot-schemas.js';

const path = '/v1/tenants/{tenant_id}/users/{user_id}/conversations/{conversation_id}/snapshots';
const maxSnapshotBytes = 25 * 1024 * 1024;
/** Half of a megabyte: sent without making others wait. */
const pieceBytes = 512 * 1024;

export const snapshotRoutes = [
  defineRoute({
    operation: 'conversations.snapshot',
    method: 'POST',
    path,
    summary: 'Store an encrypted snapshot of a conversation and extract facts worth remembering from it.',
    description:
      'Up to 25 MiB. Send the whole conversation each time: its digest is made from the latest snapshot alone.',
    access: 'user',
    bodyLimitBytes: maxSnapshotBytes,
    rawBody: true,
    request: { params: snapshotParams, headers: Type.Object(serviceHeader), body: snapshotBody },
    responses: { 202: { description: 'Stored. The replay, if any, runs in the background.', schema: SnapshotTaken } },
    problems: ['PROFILE_NOT_FOUND', 'UNSUPPORTED_CONTENT'],
    async handle(engine: Engine, { caller, params, headers, bytes }) {
      const { profileId, replay, messages } = await readSnapshotBody(engine, bytes);
      const taken = await takeSnapshot(engine, withService(caller, headers), {
        conversationId: params.conversation_id,
        profileId,
        messages,
        replay,
      });
      return { body: { snapshot_id: taken.snapshotId, snapshot_uri: taken.uri, replay_id: taken.replayId } };
    },
  }),
  defineRoute({
    operation: 'conversations.listSnapshots',
    method: 'GET',
    path,
    summary: 'List the snapshots of a conversation, without their content.',
    access: 'admin',
    request: { params: snapshotParams, query: Type.Object(pageQuery, { additionalProperties: false }) },
    responses: { 200: { description: 'Oldest first', schema: SnapshotList } },
    async handle(engine: Engine, { caller, params, query }) {
      const conversationId = params.conversation_id;
      const { items, nextCursor } = await listSnapshots(engine, caller, { conversationId, ...query });
      const snapshots = items.map(({ name, createdAt, sizeChars }) => ({
        ...toSummary(caller, conversationId, name, createdAt),
        encrypted_bytes: Math.floor((sizeChars * 3) / 4),
      }));
      return { body: { snapshots, ...toNextCursor(nextCursor) } };
    },
  }),
  defineRoute({
    operation: 'conversations.readSnapshot',
    method: 'GET',
    path: `${path}/{snapshot_id}`,
    summary: 'Read a snapshot. Leaves an audit record.',
    access: 'admin',
    request: { params: Type.Object({ ...snapshotParams.properties, snapshot_id: Id }) },
    responses: { 200: { description: 'The decrypted conversation', schema: Snapshot } },
    problems: ['NOT_FOUND', 'SNAPSHOT_UNREADABLE'],
    async handle(engine: Engine, { caller, params }) {
      const { conversation_id: conversationId, snapshot_id: snapshotId } = params;
      const { takenAt, json } = await readSnapshot(engine, caller, { conversationId, snapshotId });
      const summary = JSON.stringify(toSummary(caller, conversationId, snapshotId, takenAt));
      const body = Readable.from(joinObjects(summary, json), { objectMode: false });
      return { headers: { 'content-type': 'application/json; charset=utf-8' }, body };
    },
  }),
];

function toSummary({ tenantId, userId }: Caller, conversationId: string, snapshotId: string, createdAt: Date) {
  return {
    snapshot_id: snapshotId,
    conversation_id: conversationId,
    snapshot_uri: snapshotUri({ tenantId, userId, conversationId, snapshotId }),
    created_at: createdAt.toISOString(),
  };
}

/** Yields the JSON of one object with the members of two. The second is not parsed: it may be large. */
function* joinObjects(first: string, second: Buffer): Generator<Buffer> {
  yield Buffer.from(`${first.slice(0, -1)},`, 'utf8');
  for (let start = 1; start < second.length; start += pieceBytes) yield second.subarray(start, start + pieceBytes);
}
