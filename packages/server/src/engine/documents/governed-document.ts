import { createHash } from 'node:crypto';
import { canonicalJson, type Json, uuidv7 } from '@memhall/core';
import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { contentChars } from './document-limits.js';

/** The envelope of every document: the service's own, but for the content. */
export interface DocumentBody {
  doc_id: string;
  schema_id: string;
  schema_version: string;
  created_at: string;
  updated_at: string;
  updated_by: string;
  content: { [key: string]: Json };
}

export interface GovernedDocument extends DocumentPlace {
  version: number;
  etag: string;
  body: DocumentBody;
}

/** A document's etag follows from its state, so that a rebuilt one can be compared. The version keeps it from ever repeating. */
export function etagOf(version: number, body: DocumentBody): string {
  return createHash('sha256')
    .update(`${version}\n${canonicalJson({ ...body })}`)
    .digest('base64url')
    .slice(0, 27);
}

export function newDocumentId(now: Date): string {
  return uuidv7(now.getTime());
}

/** A moment later than any the document has had, to the millisecond: states are then told apart by time. */
export function nextMoment(now: Date, last: string | undefined): Date {
  return last === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(last) + 1));
}

export function toArtifact(
  { namespace, path, version, etag, body }: GovernedDocument,
  outerTag: string | null,
): Artifact {
  return {
    kind: 'document',
    folder: namespace,
    name: path,
    version,
    etag,
    body: { ...body },
    sizeChars: contentChars(body.content),
    outerTag,
    occurredAt: new Date(body.updated_at),
    createdAt: new Date(body.created_at),
    updatedAt: new Date(body.updated_at),
  };
}

export function fromArtifact({ folder, name, version, etag, body }: Artifact): GovernedDocument {
  return { namespace: folder, path: name, version, etag, body: body as unknown as DocumentBody };
}
