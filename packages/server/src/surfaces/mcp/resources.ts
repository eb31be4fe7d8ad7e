import { Problem } from '@memhall/core';
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js';
import { listDocumentsForModels, readDocumentForModels } from '../../engine/host/documents-for-models.js';
import type { Host, HostCaller } from '../../engine/host/host.js';

const scheme = 'memhall://documents/';
const mimeType = 'application/json';
const pageSize = 100;

export const resourceTemplates = [
  {
    uriTemplate: `${scheme}{namespace}/{+path}`,
    name: 'document',
    title: 'Governed document',
    description: 'A document of the user that this connection acts for',
    mimeType,
  },
];

/** Lists the documents of the caller, one page at a time. */
export async function listResources(
  host: Host,
  caller: HostCaller,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { items, nextCursor } = await listDocumentsForModels(host, caller, { limit: pageSize, cursor });
  const resources = items.map(({ folder, name, updatedAt }) => ({
    uri: toUri(folder, name),
    name: `${folder}/${name}`,
    mimeType,
    annotations: { lastModified: updatedAt.toISOString() },
  }));
  return { resources, ...(nextCursor === undefined ? {} : { nextCursor }) };
}

/** Throws DOCUMENT_NOT_FOUND or CONTENT_BLOCKED. */
export async function readResource(host: Host, caller: HostCaller, uri: string): Promise<ReadResourceResult> {
  const place = fromUri(uri);
  if (place === undefined) throw new Problem('DOCUMENT_NOT_FOUND', 'The resource does not exist.');
  const { text } = await readDocumentForModels(host, caller, place);
  return { contents: [{ uri, mimeType, text }] };
}

function toUri(namespace: string, path: string): string {
  return `${scheme}${[namespace, ...path.split('/')].map(encodeURIComponent).join('/')}`;
}

function fromUri(uri: string): { namespace: string; path: string } | undefined {
  if (!uri.startsWith(scheme)) return undefined;
  try {
    const [namespace = '', ...path] = uri.slice(scheme.length).split('/').map(decodeURIComponent);
    return path.length === 0 ? undefined : { namespace, path: path.join('/') };
  } catch {
    return undefined;
  }
}
