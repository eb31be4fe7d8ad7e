import { createHash } from 'node:crypto';
import { canonicalJson, uuidv7 } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { contentChars } from './document-limits.js';

export interface GovernedDocument extends DocumentPlace {
  version: number;
  etag: string;
  body: DocumentBody;
}

/** Derives the etag from the state, so that a rebuilt document can be compared. The version prevents an etag from repeating. */
export function etagOf(version: number, body: DocumentBody): string {
  return createHash('sha256')
    .update(`${version}\n${canonicalJson(body)}`)
    .digest('base64url')
    .slice(0, 27);
}

export function newDocumentId(now: Date): string {
  return uuidv7(now.getTime());
}

/** Returns a moment at least a millisecond after the document's last one, so that no two of its states share a time. */
export function nextMoment(now: Date, last: string | undefined): Date {
  return last === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(last) + 1));
}

export function toArtifact(
  { namespace, path, version, etag, body }: GovernedDocument,
  outerTag: string | null,
): Artifact<'document'> {
  return {
    kind: 'document',
    folder: namespace,
    name: path,
    version,
    etag,
    body,
    sizeChars: contentChars(body.content),
    outerTag,
    occurredAt: new Date(body.updated_at),
    createdAt: new Date(body.created_at),
    updatedAt: new Date(body.updated_at),
  };
}

export function fromArtifact({ folder, name, version, etag, body }: Artifact<'document'>): GovernedDocument {
  return { namespace: folder, path: name, version, etag, body };
}
