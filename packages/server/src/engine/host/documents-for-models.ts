import { Problem } from '@memhall/core';
import type { ArtifactSummary } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { getDocument } from '../documents/get-document.js';
import { listDocuments } from '../documents/list-documents.js';
import { findBlocked } from '../guard-models.js';
import type { Page } from '../page.js';
import { showDocument } from '../tiers/guard-released.js';
import type { Host, HostCaller } from './host.js';

/** Lists the caller's documents by namespace and path. Leaves out documents whose name must not reach a model. */
export async function listDocumentsForModels(
  host: Host,
  caller: HostCaller,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ArtifactSummary>> {
  const { items, nextCursor } = await listDocuments(host.engine, caller, page);
  const shown = items.filter(
    ({ folder, name, etag }) => findBlocked(host.engine, caller, etag, [`${folder}/${name}`]) === undefined,
  );
  return { items: shown, nextCursor };
}

/**
 * Returns a document's content as JSON, with placeholders for entries that must not reach a model. Throws DOCUMENT_NOT_FOUND, or
 * CONTENT_BLOCKED if nothing would be left.
 */
export async function readDocumentForModels(
  host: Host,
  caller: HostCaller,
  { namespace, path }: DocumentPlace,
): Promise<{ text: string; updatedAt: string }> {
  const { body } = await getDocument(host.engine, caller, { namespace, path });
  const shown = await showDocument(host.engine, caller, { namespace, path, body });
  if ('blocked' in shown) {
    throw new Problem('CONTENT_BLOCKED', 'The document contains text that must not reach a model.', {
      details: { ...shown.blocked },
    });
  }
  return { text: JSON.stringify(shown.content, null, 2), updatedAt: body.updated_at };
}
