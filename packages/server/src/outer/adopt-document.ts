import { type Json, jsonEqual, type PatchOperation, Problem } from '@memhall/core';
import { contentHash, type Mutation } from '../engine/audit/audit-record.js';
import { recordMutations, type Work } from '../engine/audit/mutate.js';
import { scopeOf, systemCaller } from '../engine/caller.js';
import { addCheckpoint } from '../engine/documents/add-checkpoint.js';
import { lastRecord } from '../engine/documents/document-at.js';
import { documentTarget } from '../engine/documents/document-path.js';
import { toRecordDetails, unboundChange } from '../engine/documents/document-record.js';
import { type FollowStored, prepareStored } from '../engine/documents/follow-stored.js';
import { etagOf, newDocumentId, nextMoment, toArtifact } from '../engine/documents/governed-document.js';
import { removeStored } from '../engine/documents/remove-stored.js';
import type { Engine } from '../engine/engine.js';
import { dropTierIndex } from '../engine/tiers/tier-session.js';
import type { DocumentBody } from '../ports/artifact-bodies.js';
import type { ArtifactOwner, StoredArtifact } from '../ports/artifact-store.js';
import type { Artifact, ArtifactKey } from '../ports/artifacts.js';
import type { Tables } from '../ports/store.js';
import { attemptWrite } from './attempt-write.js';
import type { Outer } from './outer.js';
import { StaleRows } from './stale-rows.js';

/** The editor of a blob is accountable for its content, and unknown here. The adoption itself is done by Memhall. */
const reason = 'admin_migration';
const updatedBy = 'memhall';

/**
 * Turns a change that was made to a document directly in the outer store into a version: an edit, a new document, or a
 * removal. Does not check the schema; the next write through Memhall does. Throws CONFLICT if the blob is not a document.
 */
async function adoptDocument(
  outer: Outer,
  owner: ArtifactOwner,
  { folder, name }: Omit<ArtifactKey, 'kind'>,
): Promise<void> {
  const { engine } = outer;
  const key = { kind: 'document', folder, name } as const;
  const stored = await outer.blobs.get(owner, key);
  const caller = systemCaller(owner.tenantId, owner.userId, 'documents.adopt');
  const follow = await prepareStored(engine, caller, placeOf(key));
  const work: Work<void> = async (tables, now) => {
    const present = await tables.artifacts.get(key);
    tables.artifacts.setOuterTag(key, stored?.tag ?? null);
    if (stored !== undefined) {
      return { result: undefined, mutations: await adoptState({ engine, tables, follow, key, present, stored, now }) };
    }
    const followed = [
      ...(await dropTierIndex(engine, tables, owner, placeOf(key), now)),
      ...(await follow(tables, undefined)),
    ];
    const removal = present && (await removeStored(tables, present, { now, reason, updatedBy }));
    return { result: undefined, mutations: [...(removal === undefined ? [] : [removal]), ...followed] };
  };
  await attemptWrite(outer, scopeOf(caller), (tables) => recordMutations(engine, caller, tables, work));
}

/** Adopts a document. If it changes again while that happens, leaves it to the next reader or writer. */
export async function adoptIfUnchanged(outer: Outer, owner: ArtifactOwner, key: ArtifactKey): Promise<void> {
  try {
    await adoptDocument(outer, owner, key);
  } catch (error) {
    if (!(error instanceof StaleRows)) throw error;
  }
}

interface Adoption {
  engine: Engine;
  tables: Tables;
  follow: FollowStored;
  key: ArtifactKey<'document'>;
  present: Artifact<'document'> | undefined;
  stored: StoredArtifact;
  now: Date;
}

async function adoptState(adoption: Adoption): Promise<Mutation[]> {
  const { engine, tables, follow, key, present, stored, now } = adoption;
  if (present !== undefined && stored.facts?.etag === present.etag) return [];
  const given = parseBody(stored.text, key);
  const before = present?.body;
  if (before !== undefined && jsonEqual(given.content, before.content)) return [];

  const last = await lastRecord(tables, placeOf(key));
  const moment = nextMoment(now, before?.updated_at ?? last?.at);
  const at = moment.toISOString();
  const version = 1 + (present?.version ?? last?.document_version ?? 0);
  const schema = before ?? (await findSchema(engine, tables, key, given));
  const body: DocumentBody = {
    doc_id: before?.doc_id ?? newDocumentId(moment),
    schema_id: schema.schema_id,
    schema_version: schema.schema_version,
    created_at: before?.created_at ?? at,
    updated_at: at,
    updated_by: updatedBy,
    content: given.content,
  };
  const document = { ...placeOf(key), version, etag: etagOf(version, body), body };
  const artifact = toArtifact(document, stored.tag);
  tables.artifacts.put(artifact);
  tables.artifacts.setOuterTag(key, stored.tag);
  addCheckpoint(tables, artifact);
  const followed = await follow(tables, document);
  const ops: PatchOperation[] = [{ op: 'replace', path: '/content', value: given.content }];
  const { doc_id, created_at } = body;
  const origin = before === undefined ? { doc_id, created_at, content: {}, migrated_from: null } : null;
  const mutation = {
    target: targetOf(key),
    preEtag: present?.etag ?? null,
    postEtag: document.etag,
    contentHash: contentHash(given.content),
    at: moment,
    details: toRecordDetails({ ...unboundChange(last, body, { ops, reason, updatedBy }), version, origin }),
  };
  return [mutation, ...followed];
}

/** Returns the schema of a document that was created outside of Memhall: that of its binding if a profile has one for the place, else the one it names. */
async function findSchema(
  engine: Engine,
  tables: Tables,
  { folder, name }: ArtifactKey,
  given: Partial<DocumentBody>,
): Promise<Pick<DocumentBody, 'schema_id' | 'schema_version'>> {
  const profiles = await engine.registry.registeredProfiles(tables);
  const binding = profiles
    .flatMap((profile) => engine.registry.read(profile).bindings)
    .find(({ namespace, template }) => namespace === folder && template.match(name) !== undefined);
  return {
    schema_id: binding?.schemaId ?? String(given.schema_id ?? ''),
    schema_version: binding?.schemaVersion ?? String(given.schema_version ?? ''),
  };
}

function parseBody(text: string, { folder, name }: ArtifactKey): Partial<DocumentBody> & Pick<DocumentBody, 'content'> {
  try {
    const body = JSON.parse(text) as { content?: Json };
    if (isObject(body) && isObject(body.content)) return { ...body, content: body.content };
  } catch {
    // Reported below.
  }
  const message = `The document ${folder}/${name} was changed outside of Memhall and is no longer a document. Repair or delete its blob.`;
  throw new Problem('CONFLICT', message);
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function placeOf({ folder, name }: ArtifactKey) {
  return { namespace: folder, path: name };
}

function targetOf(key: ArtifactKey): string {
  return documentTarget(placeOf(key));
}
