import { type Json, jsonEqual, type PatchOperation, Problem } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { ArtifactOwner, StoredArtifact } from '../../ports/artifact-store.js';
import type { Artifact, ArtifactKey } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { type Caller, systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { attemptOuter } from '../outer/attempt-outer.js';
import type { OuterArtifacts } from '../outer/outer-artifacts.js';
import { dropTierIndex } from '../tiers/tier-session.js';
import { addCheckpoint } from './add-checkpoint.js';
import { lastRecord } from './document-at.js';
import { documentTarget } from './document-path.js';
import { toRecordDetails, unboundChange } from './document-record.js';
import { etagOf, newDocumentId, nextMoment, toArtifact } from './governed-document.js';
import { removeStored } from './remove-stored.js';

/** Who is accountable for what the outer store holds: whoever can write there. The adoption itself is Memhall's. */
const reason = 'admin_migration';
const updatedBy = 'memhall';

/**
 * Makes what somebody did to a document in the outer store a version of it: an edit, a new document, or a removal.
 * Its schema is not checked: the next write through Memhall does. Throws CONFLICT for what is no document at all.
 */
export async function adoptDocument(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  { folder, name }: Omit<ArtifactKey, 'kind'>,
): Promise<void> {
  const key = { kind: 'document', folder, name } as const;
  const stored = await outer.store.get(owner, key);
  const caller = systemCaller(owner.tenantId, owner.userId, 'documents.adopt');
  await attemptOuter(engine, outer, caller, async (tables, now) => {
    const present = await tables.artifacts.get(key);
    tables.artifacts.setOuterTag(key, stored?.tag ?? null);
    if (stored === undefined) dropTierIndex(tables, owner, placeOf(key));
    const mutation =
      stored === undefined
        ? present && (await removeStored(tables, present, { now, reason, updatedBy }))
        : await adoptState({ engine, tables, caller, key, present, stored, now });
    return { result: undefined, mutations: mutation === undefined ? [] : [mutation] };
  });
}

interface Adoption {
  engine: Engine;
  tables: Tables;
  caller: Caller;
  key: ArtifactKey<'document'>;
  present: Artifact<'document'> | undefined;
  stored: StoredArtifact;
  now: Date;
}

async function adoptState(adoption: Adoption): Promise<Mutation | undefined> {
  const { engine, tables, key, present, stored, now } = adoption;
  if (present !== undefined && stored.facts?.etag === present.etag) return undefined;
  const given = parseBody(stored.text, key);
  const before = present?.body;
  if (before !== undefined && jsonEqual(given.content, before.content)) return undefined;

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
  const ops: PatchOperation[] = [{ op: 'replace', path: '/content', value: given.content }];
  const { doc_id, created_at } = body;
  const origin = before === undefined ? { doc_id, created_at, content: {}, migrated_from: null } : null;
  return {
    target: targetOf(key),
    preEtag: present?.etag ?? null,
    postEtag: document.etag,
    contentHash: contentHash(given.content),
    at: moment,
    details: toRecordDetails({ ...unboundChange(last, body, { ops, reason, updatedBy }), version, origin }),
  };
}

/** Of a document that somebody else made: its binding's, where a profile has one for the place, else what it says itself. */
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
    // Told below.
  }
  const message = `The document ${folder}/${name} was changed outside of Memhall into what is no document: mend or delete its blob.`;
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
