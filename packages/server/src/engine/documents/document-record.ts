import { createHash } from 'node:crypto';
import { applyPatch, canonicalJson, type Json, type PatchOperation } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { ChainedRecord } from '../../ports/audit-log.js';
import type { DocumentState } from '../../ports/document-checkpoints.js';
import { type Caller, roles } from '../caller.js';
import type { IdempotencyRequest } from '../idempotency.js';
import { etagOf } from './governed-document.js';

/** The state that a document started from. */
interface DocumentOrigin {
  doc_id: string;
  created_at: string;
  content: { [key: string]: Json };
  /** Path that it was migrated from, with its namespace. */
  migrated_from: string | null;
}

/** The change from one version of a document to the next, with everything needed to repeat it. */
export interface DocumentChange {
  version: number;
  profileId: string;
  bindingId: string;
  schemaId: string;
  schemaVersion: string;
  reason: string;
  ops: readonly PatchOperation[];
  opsHash: string;
  evidence: Json | null;
  confidence: number | null;
  updatedBy: string;
  redirected: boolean;
  /** Whether secrets were removed from what the caller sent. */
  redacted?: boolean;
  origin: DocumentOrigin | null;
  idempotency: IdempotencyRequest | null;
}

export function opsHash(ops: readonly PatchOperation[]): string {
  return createHash('sha256')
    .update(canonicalJson([...ops]))
    .digest('hex');
}

/** A change that bypassed all bindings. It is recorded with the profile and binding of the last version. */
export function unboundChange(
  last: DocumentRecord | undefined,
  { schema_id, schema_version }: DocumentBody,
  { ops, reason, updatedBy }: Pick<DocumentChange, 'ops' | 'reason' | 'updatedBy'>,
): Omit<DocumentChange, 'version' | 'origin'> {
  return {
    profileId: last?.profile_id ?? '',
    bindingId: last?.binding_id ?? '',
    schemaId: schema_id,
    schemaVersion: schema_version,
    reason,
    ops,
    opsHash: opsHash(ops),
    evidence: null,
    confidence: null,
    updatedBy,
    redirected: false,
    idempotency: null,
  };
}

export function toRecordDetails(change: DocumentChange): { [key: string]: Json } {
  return {
    document_version: change.version,
    profile_id: change.profileId,
    binding_id: change.bindingId,
    schema_id: change.schemaId,
    schema_version: change.schemaVersion,
    reason: change.reason,
    ops: [...change.ops],
    ops_sha256: change.opsHash,
    evidence: change.evidence,
    confidence: change.confidence,
    updated_by: change.updatedBy,
    redirected: change.redirected,
    ...(change.redacted === true ? { redacted: true } : {}),
    origin: change.origin && { ...change.origin },
    idempotency: change.idempotency && {
      key: change.idempotency.key,
      payload_sha256: change.idempotency.payloadHash,
    },
  };
}

/** A document's audit record, parsed. */
export interface DocumentRecord {
  at: string;
  target: string;
  document_version: number;
  profile_id: string;
  binding_id: string;
  schema_id: string;
  schema_version: string;
  reason: string;
  ops: PatchOperation[];
  ops_sha256: string;
  evidence: Json | null;
  confidence: number | null;
  updated_by: string;
  redirected: boolean;
  redacted?: boolean;
  origin: DocumentOrigin | null;
  idempotency: { key: string; payload_sha256: string } | null;
  actor: { user_id: string | null; service_id: string | null; roles: string[]; is_service?: true };
  operation: string;
  pre_etag: string | null;
  /** null if this version is the document's removal. */
  post_etag: string | null;
  request_id: string;
}

/** Who wrote a version, and by which operation. */
export type DocumentWriter = Pick<Caller, 'actor' | 'operation'>;

export function writerOf({ actor, operation }: Pick<DocumentRecord, 'actor' | 'operation'>): DocumentWriter {
  const { user_id: userId, service_id: serviceId, is_service: isService = false } = actor;
  const known = roles.filter((role) => actor.roles.includes(role));
  return { operation, actor: { userId, serviceId, roles: known, isService } };
}

export function parseDocumentRecord({ record }: Pick<ChainedRecord, 'record'>): DocumentRecord {
  return JSON.parse(record);
}

/**
 * Applies a record to a state and returns the next one; undefined after a removal.
 * Throws if the record does not follow from the state: one of them was altered.
 */
export function applyRecord(state: DocumentState | undefined, record: DocumentRecord): DocumentState | undefined {
  const next = nextState(state, record);
  if (next !== undefined && next.etag !== record.post_etag) {
    throw new Error(`version ${next.version} does not produce the recorded etag`);
  }
  return next;
}

/** Like `applyRecord`, but does not compare the result with the recorded etag. */
export function nextState(state: DocumentState | undefined, record: DocumentRecord): DocumentState | undefined {
  const { origin, document_version: version } = record;
  if (record.post_etag === null) return undefined;
  const before = origin ?? state?.body;
  if (before === undefined) throw new Error(`version ${version} has no earlier state to apply to`);
  const { content } = applyPatch({ content: before.content }, record.ops) as Pick<DocumentBody, 'content'>;
  const body: DocumentBody = {
    doc_id: before.doc_id,
    schema_id: record.schema_id,
    schema_version: record.schema_version,
    created_at: before.created_at,
    updated_at: record.at,
    updated_by: record.updated_by,
    content,
  };
  return { version, etag: etagOf(version, body), body, at: new Date(record.at) };
}
