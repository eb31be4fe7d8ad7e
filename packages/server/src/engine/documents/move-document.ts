import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import type { SlowResults } from '../slow-results.js';
import { addCheckpoint } from './add-checkpoint.js';
import { lastRecord } from './document-at.js';
import { documentTarget } from './document-path.js';
import { toRecordDetails, unboundChange } from './document-record.js';
import type { DocumentLook } from './document-watcher.js';
import { etagOf, nextMoment, toArtifact } from './governed-document.js';
import { removeStored } from './remove-stored.js';

interface Moving {
  to: DocumentPlace;
  reason: string;
  /** What follows changes at the new place. */
  look: DocumentLook;
  now: Date;
  slow: SlowResults;
}

/**
 * Moves a document to a place where there is none. It keeps its id. Its history stays at the older place, where its removal is the last
 * version; the first one at the new place says where it came from. Returns the mutations to record.
 */
export async function moveDocument(
  tables: Tables,
  caller: Caller,
  stored: Artifact<'document'>,
  { to, reason, look, now, slow }: Moving,
): Promise<Mutation[]> {
  const from = { namespace: stored.folder, path: stored.name };
  const updatedBy = caller.actor.serviceId ?? caller.actor.userId ?? 'memhall';
  const [earlier, last, removal] = await Promise.all([
    lastRecord(tables, from),
    lastRecord(tables, to),
    removeStored(tables, stored, { now, reason, updatedBy }),
  ]);
  const moment = nextMoment(now, last?.at ?? stored.body.updated_at);
  const body = { ...stored.body, updated_at: moment.toISOString(), updated_by: updatedBy };
  const version = 1 + (last?.document_version ?? 0);
  const document = { ...to, version, etag: etagOf(version, body), body };
  const artifact = toArtifact(document, null);
  tables.artifacts.put(artifact, { isFollowed: true });
  addCheckpoint(tables, artifact);
  const { doc_id, created_at, content } = stored.body;
  const origin = { doc_id, created_at, content, migrated_from: `${from.namespace}/${from.path}` };
  const change = unboundChange(earlier, stored.body, { ops: [], reason, updatedBy });
  const mutation = {
    ...{ target: documentTarget(to), preEtag: null, postEtag: document.etag, at: moment },
    contentHash: contentHash(content),
    details: toRecordDetails({ ...change, version, origin }),
  };
  const followed = await look.follow({ document, rules: undefined, movedFrom: from }, now, slow);
  return [removal, mutation, ...followed];
}
