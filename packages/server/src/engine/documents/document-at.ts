import type { DocumentPlace, DocumentState } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { documentTarget } from './document-path.js';
import { applyRecord, parseDocumentRecord } from './document-record.js';

/** Every so many versions a document is kept whole, so that no older state is more than as many steps away. */
export const checkpointInterval = 32;

/** A document as it was at a version or a moment, or undefined if it was not there yet. */
export async function documentAt(
  tables: Tables,
  place: DocumentPlace,
  upTo: { version: number } | { at: Date },
): Promise<DocumentState | undefined> {
  const checkpoint = await tables.documentCheckpoints.latest(place, upTo);
  const after = checkpoint?.version ?? 0;
  const last = 'version' in upTo ? upTo.version : after + checkpointInterval;
  const records = await tables.audit.versions(documentTarget(place), { after, upTo: last, limit: checkpointInterval });
  let state = checkpoint;
  for (const record of records.map(parseDocumentRecord)) {
    if ('at' in upTo && new Date(record.at) > upTo.at) break;
    state = applyRecord(state, record);
  }
  return state;
}
