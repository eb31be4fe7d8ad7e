import { type DocumentRecord, parseDocumentRecord } from '../engine/documents/document-record.js';
import { idempotencyHorizon } from '../engine/idempotency.js';
import type { Tables } from '../ports/store.js';

/** Restores the idempotency key of an audit record, so that a request that was carried out is not carried out again. */
export function deriveFromRecord(tables: Tables, record: string, now: Date): void {
  const {
    idempotency,
    at,
    document_version: version,
    redirected = false,
    redacted = false,
  }: Partial<DocumentRecord> = parseDocumentRecord({ record });
  const madeAt = new Date(at ?? 0);
  if (!idempotency || version === undefined || madeAt < idempotencyHorizon(now)) return;
  tables.idempotencyKeys.put({
    key: idempotency.key,
    payloadHash: idempotency.payload_sha256,
    result: { version, redirected, redacted },
    createdAt: madeAt,
  });
}
