import type { Static } from 'typebox';
import type { DocumentRecord } from '../../engine/documents/document-record.js';
import type { StaleFact } from '../../engine/documents/freshness.js';
import type { GovernedDocument } from '../../engine/documents/governed-document.js';
import type { WrittenDocument } from '../../engine/documents/write-document.js';
import type { Page } from '../../engine/page.js';
import type { RouteReply } from '../../http/route.js';
import { toNextCursor } from '../../http/wire-schemas.js';
import type { ArtifactSummary } from '../../ports/artifacts.js';
import type { DocumentHistory, DocumentList } from './document-schemas.js';

export function quoted(etag: string): string {
  return `"${etag}"`;
}

export function toDocumentAnswer({ etag, body }: GovernedDocument) {
  return { etag: quoted(etag), document: body };
}

/** Returns nothing if no fact is stale. */
export function toStale(facts: readonly StaleFact[]) {
  if (facts.length === 0) return {};
  return { stale: facts.map(({ path, since, reason }) => ({ path, since: since.toISOString(), reason })) };
}

export function toWriteReply({ document, redirected, redacted, replayed }: WrittenDocument): RouteReply {
  const body = {
    ...toDocumentAnswer(document),
    idempotency_replay: replayed,
    ...(redirected ? { redirected } : {}),
    ...(redacted ? { redacted } : {}),
  };
  return { headers: { etag: body.etag }, body };
}

export function toDocumentList({ items, nextCursor }: Page<ArtifactSummary>): Static<typeof DocumentList> {
  const documents = items.map((item) => ({
    namespace: item.folder,
    path: item.name,
    etag: quoted(item.etag),
    size_chars: item.sizeChars,
    version: item.version,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
  }));
  return { documents, ...toNextCursor(nextCursor) };
}

export function toDocumentHistory({ items, nextCursor }: Page<DocumentRecord>): Static<typeof DocumentHistory> {
  return { versions: items.map(toDocumentVersion), ...toNextCursor(nextCursor) };
}

export function toDocumentVersion(record: DocumentRecord) {
  return {
    version: record.document_version,
    etag: record.post_etag === null ? null : quoted(record.post_etag),
    pre_etag: record.pre_etag === null ? null : quoted(record.pre_etag),
    at: record.at,
    actor: record.actor,
    profile_id: record.profile_id,
    binding_id: record.binding_id,
    reason: record.reason,
    ops: record.ops,
    evidence: record.evidence,
    confidence: record.confidence,
    redirected: record.redirected,
    request_id: record.request_id,
  };
}
