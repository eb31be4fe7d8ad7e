import type { DocumentPlace, DocumentState } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { documentTarget } from './document-path.js';
import { applyRecord, type DocumentRecord, parseDocumentRecord } from './document-record.js';

/** A document is stored in full every this many versions, so every state is fewer steps than this from a stored one. */
export const checkpointInterval = 32;

/** Returns a document as it was at a version or a moment, or undefined if it did not exist then. */
export async function documentAt(
  tables: Tables,
  place: DocumentPlace,
  upTo: { version: number } | { at: Date },
): Promise<DocumentState | undefined> {
  const checkpoint = await tables.documentCheckpoints.latest(place, upTo);
  const last = 'version' in upTo ? upTo.version : Number.MAX_SAFE_INTEGER;
  let state = checkpoint;
  for (let after = checkpoint?.version ?? 0; ; ) {
    const range = { after, upTo: last, limit: checkpointInterval };
    const page = (await tables.audit.versions(documentTarget(place), range)).map(parseDocumentRecord);
    for (const record of page) {
      if ('at' in upTo && new Date(record.at) > upTo.at) return state;
      state = applyRecord(state, record);
      after = record.document_version;
    }
    if (page.length < checkpointInterval) return state;
  }
}

/** Returns the record of a document's last version, which may be its removal, or undefined if it has no records. */
export async function lastRecord(tables: Tables, place: DocumentPlace): Promise<DocumentRecord | undefined> {
  const [last] = await tables.audit.versionsBefore(documentTarget(place), { before: undefined, limit: 1 });
  return last && parseDocumentRecord(last);
}
