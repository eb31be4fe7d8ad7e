import { checkpointInterval, documentAt, lastRecord } from '../engine/documents/document-at.js';
import type { FollowStored } from '../engine/documents/follow-stored.js';
import { toArtifact } from '../engine/documents/governed-document.js';
import type { DocumentBody } from '../ports/artifact-bodies.js';
import type { StoredArtifact } from '../ports/artifact-store.js';
import type { ArtifactKey } from '../ports/artifacts.js';
import type { DocumentPlace } from '../ports/document-checkpoints.js';
import type { Tables } from '../ports/store.js';

/**
 * Rebuilds the row of a document, its missing checkpoints and what is derived from it, from the audit records. Returns whether the
 * outer store holds the same state; if not, its state has to be adopted.
 */
export async function restoreDocument(
  tables: Tables,
  key: ArtifactKey,
  stored: StoredArtifact,
  follow: FollowStored,
): Promise<boolean> {
  const place = { namespace: key.folder, path: key.name };
  const version = (await lastRecord(tables, place))?.document_version ?? 0;
  await addCheckpoints(tables, place, version);
  const state = await documentAt(tables, place, { version });
  if (state === undefined) return false;
  const { etag } = state;
  const isSame = stored.facts?.etag === etag;
  // Records are canonical JSON: only the stored text has the original order of members.
  const body = (isSame ? JSON.parse(stored.text) : state.body) as DocumentBody;
  tables.artifacts.put(toArtifact({ ...place, version, etag, body }, null));
  if (isSame) tables.artifacts.setOuterTag(key, stored.tag);
  await follow(tables, { ...place, version, etag, body });
  return isSame;
}

async function addCheckpoints(tables: Tables, place: DocumentPlace, version: number): Promise<void> {
  const latest = await tables.documentCheckpoints.latest(place, { version });
  for (let next = (latest?.version ?? 0) + checkpointInterval; next <= version; next += checkpointInterval) {
    const state = await documentAt(tables, place, { version: next });
    if (state?.version === next) tables.documentCheckpoints.add(place, state);
  }
}
