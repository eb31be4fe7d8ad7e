import type { Tables } from '../../ports/store.js';
import { type DocumentRecord, parseDocumentRecord } from '../documents/document-record.js';
import { idempotencyHorizon } from '../idempotency.js';

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
