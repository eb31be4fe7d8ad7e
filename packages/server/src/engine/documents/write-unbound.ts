import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import type { Caller } from '../caller.js';
import { addCheckpoint } from './add-checkpoint.js';
import { lastRecord } from './document-at.js';
import { documentTarget } from './document-path.js';
import { type DocumentChange, toRecordDetails, unboundChange } from './document-record.js';
import type { FollowStored } from './follow-stored.js';
import { etagOf, nextMoment, toArtifact } from './governed-document.js';

interface UnboundVersion extends Pick<DocumentChange, 'ops' | 'reason'> {
  stored: Artifact<'document'>;
  content: DocumentBody['content'];
  follow: FollowStored;
}

/** Writes the next version of a document for an operator, whatever its binding allows. Returns its number and the changes to record. */
export async function writeUnbound(
  tables: Tables,
  caller: Caller,
  place: DocumentPlace,
  { stored, content, ops, reason, follow }: UnboundVersion,
  now: Date,
): Promise<{ version: number; mutations: Mutation[] }> {
  const moment = nextMoment(now, stored.body.updated_at);
  const updatedBy = caller.actor.serviceId ?? caller.actor.userId ?? 'memhall';
  const body = { ...stored.body, updated_at: moment.toISOString(), updated_by: updatedBy, content };
  const version = stored.version + 1;
  const document = { ...place, version, etag: etagOf(version, body), body };
  const artifact = toArtifact(document, null);
  tables.artifacts.put(artifact);
  addCheckpoint(tables, artifact);
  const followed = await follow(tables, document);
  const change = unboundChange(await lastRecord(tables, place), stored.body, { ops, reason, updatedBy });
  const mutation = {
    ...{ target: documentTarget(place), preEtag: stored.etag, postEtag: artifact.etag, at: moment },
    contentHash: contentHash(content),
    details: toRecordDetails({ ...change, version, origin: null }),
  };
  return { version, mutations: [mutation, ...followed] };
}
