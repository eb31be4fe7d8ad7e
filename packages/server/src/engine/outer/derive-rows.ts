import type { Artifact } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import { checkpointInterval } from '../documents/document-at.js';
import { type DocumentRecord, parseDocumentRecord } from '../documents/document-record.js';
import { idempotencyHorizon } from '../idempotency.js';

/** Rows that follow from an artifact's new state, for a change that is not made by its use case but from the outer store. */
export function deriveRows(tables: Tables, { kind, folder, name, version, etag, body, updatedAt }: Artifact): void {
  if (kind !== 'document' || version % checkpointInterval !== 0) return;
  tables.documentCheckpoints.add({ namespace: folder, path: name }, { version, etag, body, at: updatedAt });
}

/** Rows that follow from an audit record: requests that were carried out must not be carried out again. */
export function deriveFromRecord(tables: Tables, record: string, now: Date): void {
  const {
    idempotency,
    at,
    document_version: version,
    redirected,
  }: Partial<DocumentRecord> = parseDocumentRecord({ record });
  const madeAt = new Date(at ?? 0);
  if (!idempotency || version === undefined || madeAt < idempotencyHorizon(now)) return;
  tables.idempotencyKeys.put({
    key: idempotency.key,
    payloadHash: idempotency.payload_sha256,
    result: { version, redirected: redirected ?? false },
    createdAt: madeAt,
  });
}
