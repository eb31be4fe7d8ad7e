import { Problem } from '@memhall/core';
import type { ArtifactSummary } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { getDocument } from '../documents/get-document.js';
import { listDocuments } from '../documents/list-documents.js';
import { findBlocked } from '../guard-models.js';
import { encodeCursor, type Page } from '../page.js';
import { asOwnerOf, inWorkspace } from '../tier-path.js';
import { showDocument } from '../tiers/guard-released.js';
import type { Host, HostCaller } from './host.js';

/** Lists the caller's documents by namespace and path. Leaves out documents whose name must not reach a model. */
export async function listDocumentsForModels(
  host: Host,
  caller: HostCaller,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ArtifactSummary>> {
  const { items, nextCursor } = await listWithNotes(host, caller, page);
  const shown = items.filter(
    ({ folder, name, etag }) => findBlocked(host.engine, caller, etag, [`${folder}/${name}`]) === undefined,
  );
  return { items: shown, nextCursor };
}

/** Lists the user's documents together with the notes of the workspace, in one order. */
async function listWithNotes(
  { engine }: Host,
  caller: HostCaller,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ArtifactSummary>> {
  const lists = await Promise.all(
    [caller, inWorkspace(caller, caller.tiers.workspaceId)].map((owner) => listDocuments(engine, owner, page)),
  );
  const items = lists.flatMap((list) => list.items).sort(byPlace);
  const isCut = lists.some(({ nextCursor }) => nextCursor !== undefined) || items.length > page.limit;
  const shown = items.slice(0, page.limit);
  const last = shown.at(-1);
  return { items: shown, nextCursor: isCut && last ? encodeCursor([last.folder, last.name]) : undefined };
}

/** In the order of the database, which compares bytes. */
function byPlace(one: ArtifactSummary, other: ArtifactSummary): number {
  const place = ({ folder, name }: ArtifactSummary) => Buffer.from(`${folder}\0${name}`);
  return Buffer.compare(place(one), place(other));
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
  const owner = asOwnerOf(caller, { namespace }, caller.tiers.workspaceId);
  const { body } = await getDocument(host.engine, owner, { namespace, path });
  const shown = await showDocument(host.engine, owner, { namespace, path, body });
  if ('blocked' in shown) {
    throw new Problem('CONTENT_BLOCKED', 'The document contains text that must not reach a model.', {
      details: { ...shown.blocked },
    });
  }
  return { text: JSON.stringify(shown.content, null, 2), updatedAt: body.updated_at };
}
