import type { DocumentPlace, DocumentState } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { documentTarget } from './document-path.js';
import { applyRecord, type DocumentRecord, parseDocumentRecord } from './document-record.js';
import { etagOf } from './governed-document.js';

const pageSize = 500;

interface DocumentStep {
  version: number;
  state: DocumentState | undefined;
  /** undefined for the state that retention stored in the place of the records before it. */
  record: DocumentRecord | undefined;
}

/** Yields every state that can be rebuilt, in order; undefined after a removal. Throws if a record is missing or altered. */
export async function* documentStates(tables: Tables, place: DocumentPlace): AsyncGenerator<DocumentStep> {
  let state = await tables.documentCheckpoints.beginning(place);
  let version = state?.version ?? 0;
  if (state !== undefined) {
    checkState(state);
    yield { version, state, record: undefined };
  }
  for (;;) {
    const range = { after: version, upTo: Number.MAX_SAFE_INTEGER, limit: pageSize };
    const page = (await tables.audit.versions(documentTarget(place), range)).map(parseDocumentRecord);
    for (const record of page) {
      const startsAnew = record.post_etag === null || record.origin !== null;
      version = version === 0 && startsAnew ? record.document_version : version + 1;
      if (record.document_version !== version) throw new Error(`the record of version ${version} is missing`);
      state = applyRecord(state, record);
      yield { version, state, record };
    }
    if (page.length < pageSize) return;
  }
}

function checkState({ version, etag, body }: DocumentState): void {
  if (etagOf(version, body) !== etag) {
    throw new Error(`version ${version}, from which it is rebuilt, was altered`);
  }
}
