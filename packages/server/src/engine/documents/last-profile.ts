import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { documentTarget } from './document-path.js';
import { parseDocumentRecord } from './document-record.js';

const pageSize = 8;

/**
 * Returns the profile that a document was last written with, except by compaction; undefined if no record of it is
 * left.
 */
export async function lastProfile(tables: Tables, place: DocumentPlace): Promise<string | undefined> {
  for (let before: number | undefined; ; ) {
    const page = await tables.audit.versionsBefore(documentTarget(place), { before, limit: pageSize });
    const records = page.map(parseDocumentRecord);
    const written = records.find(({ reason }) => reason !== 'compaction');
    if (written !== undefined) return written.profile_id;
    before = records.at(-1)?.document_version;
    if (page.length < pageSize) return undefined;
  }
}
