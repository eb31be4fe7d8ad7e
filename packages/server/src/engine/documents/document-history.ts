import { Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { documentTarget } from './document-path.js';
import { type DocumentRecord, parseDocumentRecord } from './document-record.js';

/** Returns the records of a document's versions, newest first. Throws DOCUMENT_NOT_FOUND. */
export async function documentHistory(
  engine: Engine,
  caller: Caller,
  input: DocumentPlace & { limit: number; cursor?: string | undefined },
): Promise<Page<DocumentRecord>> {
  const before = input.cursor === undefined ? undefined : Number(decodeCursor(input.cursor, 1, /^\d{1,15}$/)[0]);
  const [rows, stored] = await engine.store.read(scopeOf(caller), (tables) =>
    Promise.all([
      tables.audit.versionsBefore(documentTarget(input), { before, limit: input.limit + 1 }),
      tables.artifacts.get({ kind: 'document', folder: input.namespace, name: input.path }),
    ]),
  );
  if (stored === undefined && rows.length === 0) {
    throw new Problem('DOCUMENT_NOT_FOUND', `There is no document ${input.namespace}/${input.path}.`);
  }
  return toPage(rows.map(parseDocumentRecord), input.limit, ({ document_version }) => [String(document_version)]);
}
