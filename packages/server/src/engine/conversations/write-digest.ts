import { createHash } from 'node:crypto';
import type { Artifact } from '../../ports/artifacts.js';
import type { ConversationDigest, Extraction } from '../../ports/extractor.js';
import type { MemoryOrigin } from '../../ports/memory-origin.js';
import type { Replay } from '../../ports/replays.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { removeEvent } from '../events/forget-event.js';
import { prepareEvent, storeEvent } from '../events/write-event.js';
import { noteStored } from '../memories/remember.js';
import { surfaceOf } from '../operation-surface.js';
import { lowestTrust, trustOf } from '../trust.js';
import { learnerOfReplay } from './learn-replay.js';
import type { ReplayMaterial } from './read-material.js';
import { snapshotUri } from './snapshot.js';

const sourceType = 'conversation';
/** More digests than a conversation ever had when every snapshot got its own; the rest is removed with the next snapshot. */
const mostEarlier = 1000;

interface WrittenDigest {
  /** The event that describes the conversation; null if there is none. */
  eventId: string | null;
  /** Whether a digest of a later snapshot was there already, so that this one was not stored. */
  superseded: boolean;
}

/**
 * Stores what a conversation was about. A conversation has one digest, that of its latest snapshot, in whichever order the
 * snapshots are replayed. Idempotent.
 */
export async function writeDigest(
  engine: Engine,
  caller: Caller,
  replay: Replay,
  { material, digest, facts }: Pick<Extraction, 'digest' | 'facts'> & { material: ReplayMaterial },
): Promise<WrittenDigest> {
  if (digest === null) return { eventId: null, superseded: false };
  const { conversationId } = replay;
  const event = {
    event_id: digestIdOf(conversationId),
    service_id: caller.actor.serviceId,
    timestamp: (material.endedAt ?? replay.createdAt).toISOString(),
    source_type: sourceType,
    digest: digest.text,
    keywords: digest.keywords,
    project_ids: material.projectId === null ? [] : [material.projectId],
    snapshot_uri: snapshotUri({ ...caller, ...replay }),
    evidence: { conversation_id: conversationId, message_ids: digest.messageIds, span: digest.span },
  };
  const prepared = await prepareEvent(engine, caller, event, originOfDigest(caller, material, digest));
  const learn = await learnerOfReplay(engine, caller, material, facts);
  const written = await mutate(engine, caller, async (tables, now) => {
    const { latest, others } = await presentDigests(tables, caller, replay);
    const removed: Mutation[] = [];
    for (const { name } of others) removed.push(...(await removeEvent(engine, tables, caller, name, now)));
    if (latest !== undefined && (snapshotIdOf(latest, caller, replay) ?? '') > replay.snapshotId) {
      return { result: { eventId: latest.name, superseded: true }, mutations: removed };
    }
    if (latest !== undefined && latest.name !== prepared.event.event_id) {
      removed.push(...(await removeEvent(engine, tables, caller, latest.name, now)));
    }
    const told = await storeEvent(tables, caller, prepared, now);
    removed.push(...(await learn(tables, prepared.event.event_id, now)));
    return { result: { eventId: prepared.event.event_id, superseded: false }, mutations: [...removed, told] };
  });
  if (!written.superseded) noteStored(engine, caller, prepared.indexed);
  return written;
}

/**
 * The words are those of the user's conversation, with the lowest trust of the messages they are based on. A snapshot does not
 * say whether the token that took it had a cap.
 */
function originOfDigest(
  caller: Caller,
  { messages }: ReplayMaterial,
  { messageIds }: ConversationDigest,
): MemoryOrigin {
  const surface = surfaceOf(caller.operation);
  const [first = 'agent', ...others] = messages
    .filter(({ id }) => messageIds.includes(id))
    .map(({ role }) => trustOf({ ...caller, surface }, role));
  return { surface, author: caller.userId, trust: lowestTrust(first, ...others) };
}

function digestIdOf(conversationId: string): string {
  return `evt_${createHash('sha256').update(`conversation\n${conversationId}`).digest('hex').slice(0, 32)}`;
}

/**
 * Returns the conversation's digest, and others that are superseded: each snapshot used to have its own. They are searched for only
 * until the conversation has a digest under its own id.
 */
async function presentDigests(
  tables: Tables,
  caller: Caller,
  replay: Replay,
): Promise<{ latest: Artifact<'event'> | undefined; others: Artifact<'event'>[] }> {
  const { conversationId } = replay;
  const own = await tables.artifacts.get({ kind: 'event', folder: '', name: digestIdOf(conversationId) });
  if (own !== undefined) return { latest: own, others: [] };
  const conditions = {
    members: { source_type: sourceType, service_id: caller.actor.serviceId ?? '' },
    evidence: { member: 'conversation_id', text: conversationId },
  };
  const found = await tables.artifacts.newest('event', conditions, mostEarlier);
  const earlier = found
    .map((artifact) => ({ artifact, snapshotId: snapshotIdOf(artifact, caller, replay) }))
    .filter(({ snapshotId }) => snapshotId !== undefined)
    .sort((one, other) => ((one.snapshotId ?? '') < (other.snapshotId ?? '') ? 1 : -1));
  const [latest, ...others] = earlier.map(({ artifact }) => artifact);
  return { latest, others };
}

/** Returns undefined if the event does not come from a snapshot of this conversation. Ids of snapshots sort by time. */
function snapshotIdOf(
  { body }: Artifact<'event'>,
  { tenantId, userId }: Caller,
  { conversationId }: Replay,
): string | undefined {
  const prefix = snapshotUri({ tenantId, userId, conversationId, snapshotId: '' });
  return body.snapshot_uri?.startsWith(prefix) ? body.snapshot_uri.slice(prefix.length) : undefined;
}
