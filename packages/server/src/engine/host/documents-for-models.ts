import { Problem, scanText } from '@memhall/core';
import type { ArtifactSummary } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { getDocument } from '../documents/get-document.js';
import { listDocuments } from '../documents/list-documents.js';
import type { Page } from '../page.js';
import type { Host, HostCaller } from './host.js';

/** The caller's documents by namespace and path. Those whose very name must not reach a model are left out. */
export async function listDocumentsForModels(
  host: Host,
  caller: HostCaller,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<ArtifactSummary>> {
  const { items, nextCursor } = await listDocuments(host.engine, caller, page);
  const shown = items.filter(
    ({ folder, name, etag }) => findFault(host, caller, etag, `${folder}/${name}`) === undefined,
  );
  return { items: shown, nextCursor };
}

/** A document's content as JSON. Throws DOCUMENT_NOT_FOUND, and CONTENT_BLOCKED for what must not reach a model. */
export async function readDocumentForModels(
  host: Host,
  caller: HostCaller,
  { namespace, path }: DocumentPlace,
): Promise<{ text: string; updatedAt: string }> {
  const { body } = await getDocument(host.engine, caller, { namespace, path });
  const text = JSON.stringify(body.content, null, 2);
  const problem = findFault(host, caller, body.doc_id, textsOf(body.content).join('\n'));
  if (problem !== undefined) throw problem;
  return { text, updatedAt: body.updated_at };
}

/** Strings as they are, not as JSON writes them: an escape must not hide what they say. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsOf(member)]);
}

function findFault(host: Host, { requestId }: HostCaller, id: string, text: string): Problem | undefined {
  const verdict = scanText(text);
  if (verdict === undefined) return undefined;
  const { category, rule } = verdict;
  host.engine.telemetry.countBlocked('read', category);
  host.onBlocked({ id, verdict, requestId });
  return new Problem('CONTENT_BLOCKED', 'The document holds what must not reach a model.', {
    details: { category, rule },
  });
}
