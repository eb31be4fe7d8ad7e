import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Problem } from '@memhall/core';
import type { Artifact } from '../../ports/artifacts.js';
import type { ConversationMessage } from '../../ports/extractor.js';
import type { Tables } from '../../ports/store.js';
import type { TenantCipher } from './tenant-cipher.js';

/** A conversation as it is stored, before compression and encryption: as JSON. */
export interface SnapshotContent {
  profile_id: string;
  messages: ConversationMessage[];
}

interface SnapshotPlace {
  tenantId: string;
  userId: string;
  conversationId: string;
  snapshotId: string;
}

/** Larger snapshots are compressed. Versions that cannot read compressed ones did not accept larger ones either. */
const largestPlainBytes = 1024 * 1024;
const largestUnpackedBytes = 256 * 1024 * 1024;
/** The first byte of gzip, which no JSON begins with. */
const gzipMark = 0x1f;

export function snapshotUri({ tenantId, userId, conversationId, snapshotId }: SnapshotPlace): string {
  return `memhall://tenants/${tenantId}/users/${userId}/snapshots/${conversationId}/${snapshotId}`;
}

/** Returns the place that the address of a snapshot names; undefined if it is not one of the user. */
export function placeOfSnapshot(
  { tenantId, userId }: Pick<SnapshotPlace, 'tenantId' | 'userId'>,
  uri: string | undefined,
): SnapshotPlace | undefined {
  const prefix = `memhall://tenants/${tenantId}/users/${userId}/snapshots/`;
  const [conversationId, snapshotId, ...others] = uri?.startsWith(prefix) ? uri.slice(prefix.length).split('/') : [];
  if (conversationId === undefined || snapshotId === undefined || others.length > 0) return undefined;
  return { tenantId, userId, conversationId, snapshotId };
}

export function snapshotTarget({ conversationId, snapshotId }: Omit<SnapshotPlace, 'tenantId' | 'userId'>): string {
  return `snapshots/${conversationId}/${snapshotId}`;
}

/** Returns what is to be encrypted. Compresses in a thread of Node's pool. */
export async function packSnapshot(json: Uint8Array): Promise<Uint8Array> {
  return json.length <= largestPlainBytes ? json : promisify(gzip)(json, { level: 1 });
}

/** Returns the JSON of a decrypted snapshot. Throws SNAPSHOT_UNREADABLE. */
export async function unpackSnapshot(packed: Buffer): Promise<Buffer> {
  if (packed[0] !== gzipMark) return packed;
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: largestUnpackedBytes });
  } catch (cause) {
    throw new Problem('SNAPSHOT_UNREADABLE', 'The snapshot cannot be read: it is damaged.', { cause });
  }
}

export async function sealSnapshot(
  tables: Tables,
  cipher: TenantCipher,
  place: SnapshotPlace,
  packed: Uint8Array,
  now: Date,
): Promise<Artifact<'snapshot'>> {
  const sealed = await cipher.seal(tables, place.tenantId, packed, snapshotUri(place), now);
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

interface OpenedSnapshot {
  etag: string;
  takenAt: Date;
  /** For `unpackSnapshot`, which needs no transaction. */
  packed: Buffer;
}

/** Returns undefined if the snapshot does not exist. Throws SNAPSHOT_UNREADABLE. */
export async function openSnapshot(
  tables: Tables,
  cipher: TenantCipher,
  place: SnapshotPlace,
): Promise<OpenedSnapshot | undefined> {
  const { conversationId, snapshotId, tenantId } = place;
  const artifact = await tables.artifacts.get({ kind: 'snapshot', folder: conversationId, name: snapshotId });
  if (artifact === undefined) return undefined;
  const packed = await cipher.open(tables, tenantId, artifact.body, snapshotUri(place));
  return { etag: artifact.etag, takenAt: artifact.createdAt, packed };
}
