import type { DocumentState } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import type { Caller } from '../caller.js';
import { documentAt } from '../documents/document-at.js';
import { documentTarget } from '../documents/document-path.js';
import { type DocumentRecord, nextState, parseDocumentRecord } from '../documents/document-record.js';
import type { GovernedDocument } from '../documents/governed-document.js';
import type { Binding } from '../documents/profile.js';
import { factReason } from './document-fact-watcher.js';
import { type ShownValue, shownValues } from './shown-values.js';

/** How many versions back a document is read. What was written or removed before that counts as written by hand. */
const versionsRead = 100;

/** A value that is or was in a document. */
export interface PastValue extends ShownValue {
  isPresent: boolean;
  /** The facts that Memhall wrote it for; undefined if somebody else wrote it. */
  writtenFor: readonly string[] | undefined;
  /** Whether Memhall removed it last, because of facts. */
  isRemovedForFacts: boolean;
}

/** Returns the values that the document has and had, the one that was there last at the end. */
export async function readPast(
  tables: Tables,
  caller: Caller,
  document: GovernedDocument,
  binding: Binding,
): Promise<PastValue[]> {
  const { namespace, path, version } = document;
  const place = { namespace, path };
  const after = Math.max(0, version - versionsRead);
  const range = { after, upTo: version, limit: versionsRead };
  const records = (await tables.audit.versions(documentTarget(place), range)).map(parseDocumentRecord);
  const past = new Map<string, PastValue>();
  const follow = (body: DocumentState['body'] | undefined, record: DocumentRecord | undefined) => {
    const values = body === undefined ? [] : shownValues(caller, place, binding, body);
    const shown = new Set(values.map(({ memoryId }) => memoryId));
    const facts = factsOf(record);
    for (const [id, value] of past) {
      if (!value.isPresent || shown.has(id)) continue;
      past.delete(id);
      past.set(id, { ...value, isPresent: false, isRemovedForFacts: facts !== undefined });
    }
    for (const value of values) {
      const known = past.get(value.memoryId);
      const isSame = known?.isPresent === true;
      const writtenFor = isSame ? known.writtenFor : facts;
      past.set(value.memoryId, { ...value, isPresent: true, writtenFor, isRemovedForFacts: false });
    }
  };
  let state = after === 0 ? undefined : await documentAt(tables, place, { version: after });
  if (state !== undefined) follow(state.body, undefined);
  for (const record of records) {
    if (state === undefined && record.origin === null && record.post_etag !== null) continue;
    state = nextState(state, record);
    follow(state?.body, record);
  }
  // The stored state counts, whatever is left of its records.
  follow(document.body, records.at(-1));
  return [...past.values()];
}

function factsOf(record: DocumentRecord | undefined): readonly string[] | undefined {
  if (record?.reason !== factReason) return undefined;
  const ids = (record.evidence as { fact_ids?: unknown } | null)?.fact_ids;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
