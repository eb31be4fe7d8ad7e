import { type FoundSecrets, type Json, jsonEqual, type PatchOperation, Problem } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { Artifact } from '../../ports/artifacts.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { Tables } from '../../ports/store.js';
import { contentHash, type Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { isOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { earlierResult, type IdempotencyRequest, idempotencyHorizon } from '../idempotency.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { peerKeyOf, peerOf } from '../tier-path.js';
import { checkpointInterval, documentAt, lastRecord } from './document-at.js';
import { checkLimits } from './document-limits.js';
import { documentTarget, toPlace } from './document-path.js';
import { opsHash, toRecordDetails } from './document-record.js';
import { requireSchema } from './document-registry.js';
import { DocumentSecrets } from './document-secrets.js';
import { type Addition, prepareFollowers } from './document-watcher.js';
import { type FoundDocument, findDocument } from './find-document.js';
import {
  etagOf,
  fromArtifact,
  type GovernedDocument,
  newDocumentId,
  nextMoment,
  toArtifact,
} from './governed-document.js';
import { type Binding, findBinding, type Profile } from './profile.js';

export interface DocumentWrite {
  namespace: string;
  path: string;
  profileId: string;
  bindingId: string;
  reason: string;
  evidence: Json | null;
  confidence: number | null;
  precondition: Precondition;
  /** Whether the write replaces the whole content. */
  replaces: boolean;
  /** null if the service itself writes and ensures that it does so only once. */
  idempotency: IdempotencyRequest | null;
  /** What the write will probably add to the document. */
  additions?: readonly Addition[];
  /** Makes further changes in the same transaction, only if the document changes. Returns the mutations to record. */
  alongside?: (tables: Tables, document: GovernedDocument, now: Date) => Promise<readonly Mutation[]>;
}

/** The outcome of a write, before it is stored. */
export interface Draft {
  content: Json;
  /** Lead from the previous content to this one. Stored in the audit log. */
  ops: readonly PatchOperation[];
  redirected: boolean;
}

export interface DraftContext {
  profile: Profile;
  binding: Binding;
  /** For a new document, the initial content of its binding. */
  before: Pick<DocumentBody, 'content'>;
  now: Date;
  secrets: DocumentSecrets;
  /** Without secrets, if the binding demands it. */
  evidence: Json | null;
  /** Throws SCHEMA_VALIDATION_FAILED or SCHEMA_NOT_FOUND. */
  validate(content: Json): void;
}

export interface WrittenDocument {
  document: GovernedDocument;
  redirected: boolean;
  /** Whether secrets of the request were replaced. */
  redacted: boolean;
  /** True if the same request was carried out before and this repeats its result. */
  replayed: boolean;
}

/**
 * Writes a document, completely or not at all. Checks run in a fixed order: profile, binding and path; idempotency; precondition;
 * then `draft`, which decides whether the write is allowed and produces its outcome; schema; limits. A write that changes nothing
 * creates no version.
 */
export async function writeDocument(
  engine: Engine,
  caller: Caller,
  write: DocumentWrite,
  draft: (context: DraftContext) => Promise<Draft>,
): Promise<WrittenDocument> {
  const { namespace, path, idempotency } = write;
  if (await isOffTheRecord(engine, caller)) return unchangedDocument(engine, caller, write);
  let bindingId = '';
  let replaced: FoundSecrets = {};
  let isChanged = false;
  const follower = await prepareFollowers(engine, caller, { namespace, path }, write.additions);
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  const writing = mutate(engine, caller, async (tables, now, slow) => {
    const earlierBy = (key: string | undefined) =>
      key === undefined ? undefined : tables.idempotencyKeys.get(key, idempotencyHorizon(now));
    const [own, earlier, larger, stored, look] = await Promise.all([
      tables.registry.profile(write.profileId),
      earlierBy(idempotency?.key),
      earlierBy(idempotency?.containedIn),
      tables.artifacts.get({ kind: 'document', folder: namespace, name: path }),
      follower.look(tables),
    ]);
    const profile = engine.registry.read(engine.registry.choose(write.profileId, own));
    const binding = findBinding(profile, write.bindingId);
    bindingId = binding.bindingId;
    checkBinding(binding, write, caller);
    const repeated = idempotency === null ? undefined : (earlierResult(earlier, idempotency) ?? larger?.result);
    if (repeated !== undefined) {
      return { result: await repeatResult(tables, write, repeated as StoredResult, stored), mutations: [] };
    }

    const found = await findDocument(tables, binding, write, stored);
    checkPrecondition(write.precondition, found.document?.etag);
    const { schemaId, schemaVersion } = binding;
    const schema = await engine.registry.schema(tables, caller.tenantId, schemaId, schemaVersion);
    const validate = (content: Json) => engine.registry.schemas.validate(slow, requireSchema(schema, binding), content);
    const last = stored === undefined ? await lastRecord(tables, write) : undefined;
    const moment = nextMoment(now, found.stored?.body.updated_at ?? last?.at);
    const version = 1 + (stored?.version ?? last?.document_version ?? 0);
    const secrets = new DocumentSecrets(engine, slow, binding, also);
    const before = { content: startOf(found, binding, secrets) };
    const evidence = secrets.replaceIn(write.evidence, 'evidence');
    const made = await draft({ profile, binding, before, now: moment, secrets, evidence, validate });
    const redacted = secrets.count > 0;
    // Of a document that its watchers do not know yet, the background job also tells them when each part was written.
    const isFollowed = look.isKnown || stored?.isFollowed !== false;
    replaced = secrets.found;
    const { result, mutations } = store(
      {
        engine,
        tables,
        caller,
        write: { ...write, evidence },
        binding,
        found,
        version,
        start: before.content,
        redacted,
        isFollowed,
      },
      { ...made, content: toContent(made.content) },
      moment,
    );
    isChanged = mutations.length > 0;
    const movedFrom = found.migratedFrom === null ? undefined : toPlace(found.migratedFrom);
    const change = { document: result.document, rules: { profile, binding }, reason: write.reason, movedFrom };
    const followed = isChanged && isFollowed ? await look.follow(change, now, slow) : [];
    const more = isChanged ? await storeAlongside(tables, caller, write, result.document, now) : [];
    if (idempotency !== null) {
      const kept: StoredResult = { version: result.document.version, redirected: made.redirected, redacted };
      tables.idempotencyKeys.put({ ...idempotency, result: { ...kept }, createdAt: now });
    }
    return { result, mutations: [...mutations, ...followed, ...more] };
  });
  const count = (outcome: string) => engine.telemetry.countDocumentWrite(bindingId, outcome);
  writing.then(
    ({ replayed }) => {
      if (isChanged) follower.finish();
      engine.telemetry.countRedactions(replaced);
      count(replayed ? 'replayed' : 'applied');
    },
    (error) => count(error instanceof Problem ? error.code : 'INTERNAL'),
  );
  return writing;
}

/** Returns the document as it is or, if there is none, as it would begin. Throws as if it were to be written. */
function unchangedDocument(engine: Engine, caller: Caller, write: DocumentWrite): Promise<WrittenDocument> {
  const { namespace, path } = write;
  return engine.store.read(scopeOf(caller), async (tables) => {
    const binding = findBinding(await engine.registry.profile(tables, write.profileId), write.bindingId);
    checkBinding(binding, write, caller);
    const stored = await tables.artifacts.get({ kind: 'document', folder: namespace, name: path });
    const { document } = await findDocument(tables, binding, write, stored);
    checkPrecondition(write.precondition, document?.etag);
    const told = { redirected: false, redacted: false, replayed: false };
    if (document !== undefined) return { document, ...told };
    const now = engine.clock.now();
    const at = now.toISOString();
    const { schemaId: schema_id, schemaVersion: schema_version, initial: content } = binding;
    const times = { created_at: at, updated_at: at, updated_by: 'memhall' };
    const body = { doc_id: newDocumentId(now), schema_id, schema_version, ...times, content };
    return { document: { namespace, path, version: 0, etag: etagOf(0, body), body }, ...told };
  });
}

/** Makes the further changes of a write that creates a version. Returns the mutations to record. */
async function storeAlongside(
  tables: Tables,
  caller: Caller,
  write: DocumentWrite,
  document: GovernedDocument,
  now: Date,
): Promise<readonly Mutation[]> {
  const mutations = (await write.alongside?.(tables, document, now)) ?? [];
  for (const peer of peopleIn(write, caller)) tables.receipts.refuseIfErased(peer);
  return mutations;
}

/** Returns the people whose erasure the write must not escape: the one it is about, and the author of a write for others. */
function peopleIn(place: DocumentPlace, { userId, actor }: Caller): Set<string> {
  const about = peerOf(place);
  const author = actor.userId === null || actor.userId === userId ? undefined : peerKeyOf(actor.userId);
  return new Set([about, author].filter((person) => person !== undefined));
}

/** The part of a result that is stored with its idempotency key. */
type StoredResult = { version: number; redirected: boolean; redacted?: boolean };

async function repeatResult(
  tables: Tables,
  write: DocumentWrite,
  { version, redirected, redacted = false }: StoredResult,
  stored: Artifact<'document'> | undefined,
): Promise<WrittenDocument> {
  const told = { redirected, redacted, replayed: true };
  if (stored?.version === version) return { document: fromArtifact(stored), ...told };
  const state = await documentAt(tables, write, { version });
  if (state === undefined) throw new Error('the document version of an earlier result is missing');
  const document = { ...state, namespace: write.namespace, path: write.path };
  return { document, ...told };
}

function checkBinding(binding: Binding, { namespace, path, replaces }: DocumentWrite, caller: Caller): void {
  const details = { binding_id: binding.bindingId, namespace: binding.namespace, path: binding.template.text };
  if (binding.namespace !== namespace) {
    const message = `The binding ${binding.bindingId} is for the namespace ${binding.namespace}, not ${namespace}.`;
    throw new Problem('BINDING_NAMESPACE_MISMATCH', message, { details });
  }
  if (binding.template.match(path) === undefined) {
    const message = `The binding ${binding.bindingId} is for the path ${binding.template.text}.`;
    throw new Problem('BINDING_PATH_MISMATCH', message, { details });
  }
  if (replaces && caller.actor.roles.includes('admin')) return;
  if (binding.writeMode === 'read_only') {
    throw new Problem('WRITE_NOT_ALLOWED', `The binding ${binding.bindingId} is read-only.`, { details });
  }
  if (replaces && binding.writeMode !== 'replace_allowed') {
    const message = `The binding ${binding.bindingId} accepts only patches, except from role admin.`;
    throw new Problem('REPLACE_NOT_ALLOWED', message, { details });
  }
}

/** A document that is still at an older place was not written through this binding, so its secrets are replaced now. */
function startOf({ stored, document }: FoundDocument, binding: Binding, secrets: DocumentSecrets) {
  if (stored !== undefined) return stored.body.content;
  return document === undefined ? binding.initial : secrets.replaceIn(document.body.content);
}

function toContent(content: Json): { [key: string]: Json } {
  if (content === null || typeof content !== 'object' || Array.isArray(content)) {
    throw new Problem('SCHEMA_VALIDATION_FAILED', 'The content of a document must be an object.', {
      details: { faults: [{ pointer: '/content', rule: 'type', message: 'must be object' }], fault_count: 1 },
    });
  }
  return content;
}

interface Storing {
  engine: Engine;
  tables: Tables;
  caller: Caller;
  write: DocumentWrite;
  binding: Binding;
  found: FoundDocument;
  /** The new version. */
  version: number;
  /** The content that the write starts from. */
  start: DocumentBody['content'];
  redacted: boolean;
  /** Whether the watchers follow the change in this transaction. */
  isFollowed: boolean;
}

function store(
  { engine, tables, caller, write, binding, found, version, start, redacted, isFollowed }: Storing,
  { content, ops, redirected }: Draft & { content: { [key: string]: Json } },
  moment: Date,
): { result: WrittenDocument; mutations: Mutation[] } {
  const { stored, document: seen } = found;
  if (stored !== undefined && jsonEqual(content, stored.body.content)) {
    return { result: { document: stored, redirected, redacted, replayed: false }, mutations: [] };
  }
  const at = moment.toISOString();
  const body: DocumentBody = {
    doc_id: seen?.body.doc_id ?? newDocumentId(moment),
    schema_id: binding.schemaId,
    schema_version: binding.schemaVersion,
    created_at: seen?.body.created_at ?? at,
    updated_at: at,
    updated_by: caller.actor.serviceId ?? caller.actor.userId ?? 'memhall',
    content,
  };
  const place = { namespace: write.namespace, path: write.path };
  const document: GovernedDocument = { ...place, version, etag: etagOf(version, body), body };
  const artifact = toArtifact(document, null);
  checkLimits(binding, content, artifact.sizeChars);
  engine.telemetry.observeDocumentSize(binding.bindingId, artifact.sizeChars / binding.maxChars);
  tables.artifacts.put(artifact, { isFollowed });
  if (version % checkpointInterval === 0) {
    tables.documentCheckpoints.add(place, { version, etag: document.etag, body: artifact.body, at: moment });
  }
  const origin = {
    doc_id: body.doc_id,
    created_at: body.created_at,
    content: start,
    migrated_from: found.migratedFrom,
  };
  const mutation: Mutation = {
    target: documentTarget(place),
    preEtag: stored?.etag ?? null,
    postEtag: document.etag,
    contentHash: contentHash(content),
    at: moment,
    details: toRecordDetails({
      version,
      profileId: write.profileId,
      bindingId: binding.bindingId,
      schemaId: body.schema_id,
      schemaVersion: body.schema_version,
      reason: write.reason,
      ops,
      opsHash: opsHash(ops),
      evidence: write.evidence,
      confidence: write.confidence,
      updatedBy: body.updated_by,
      redirected,
      redacted,
      origin: stored === undefined ? origin : null,
      idempotency: write.idempotency,
    }),
  };
  return { result: { document, redirected, redacted, replayed: false }, mutations: [mutation] };
}
