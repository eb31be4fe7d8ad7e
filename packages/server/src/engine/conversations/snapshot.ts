import { createHash } from 'node:crypto';
import type { Artifact } from '../../ports/artifacts.js';
import type { ConversationMessage } from '../../ports/extractor.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import type { TenantCipher } from './tenant-cipher.js';

interface SnapshotContent {
  profile_id: string;
  messages: ConversationMessage[];
}

interface SnapshotPlace {
  tenantId: string;
  userId: string;
  conversationId: string;
  snapshotId: string;
}

export function snapshotUri({ tenantId, userId, conversationId, snapshotId }: SnapshotPlace): string {
  return `memhall://tenants/${tenantId}/users/${userId}/snapshots/${conversationId}/${snapshotId}`;
}

export function snapshotTarget({ conversationId, snapshotId }: SnapshotPlace): string {
  return `snapshots/${conversationId}/${snapshotId}`;
}

export async function sealSnapshot(
  tables: Tables,
  cipher: TenantCipher,
  place: SnapshotPlace,
  content: SnapshotContent,
  now: Date,
): Promise<Artifact<'snapshot'>> {
  const plain = Buffer.from(JSON.stringify(content), 'utf8');
  const sealed = await cipher.seal(tables, place.tenantId, plain, snapshotUri(place), now);
  return {
    kind: 'snapshot',
    folder: place.conversationId,
    name: place.snapshotId,
    version: 1,
    etag: createHash('sha256').update(sealed.tag).digest('base64url').slice(0, 27),
    body: { snapshot_id: place.snapshotId, created_at: now.toISOString(), ...sealed },
    sizeChars: sealed.ciphertext.length,
    outerTag: null,
    occurredAt: now,
    createdAt: now,
    updatedAt: now,
  };
}

/** Returns undefined if the snapshot does not exist. Throws SNAPSHOT_UNREADABLE. */
export async function openSnapshot(
  tables: Tables,
  cipher: TenantCipher,
  caller: Pick<Caller, 'tenantId' | 'userId'>,
  { conversationId, snapshotId }: { conversationId: string; snapshotId: string },
): Promise<SnapshotContent | undefined> {
  const artifact = await tables.artifacts.get({ kind: 'snapshot', folder: conversationId, name: snapshotId });
  if (artifact === undefined) return undefined;
  const place = { tenantId: caller.tenantId, userId: caller.userId, conversationId, snapshotId };
  const plain = await cipher.open(tables, caller.tenantId, artifact.body, snapshotUri(place));
  return JSON.parse(plain.toString('utf8'));
}
