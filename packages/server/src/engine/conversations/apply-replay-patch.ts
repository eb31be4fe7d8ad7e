import { createHash } from 'node:crypto';
import { type Json, type PatchOperation, Problem } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import { type Caller, scopeOf } from '../caller.js';
import { documentAt } from '../documents/document-at.js';
import { fromArtifact, type GovernedDocument } from '../documents/governed-document.js';
import { patchDocument } from '../documents/patch-document.js';
import type { WrittenDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import { payloadHash } from '../idempotency.js';
import { rebaseDecided, rebaseReplay } from './rebase-replay.js';

/** The data needed to write a replay's patch. */
export type ReplayPatch = Pick<
  UnresolvedPatch,
  | 'profileId'
  | 'bindingId'
  | 'namespace'
  | 'path'
  | 'baseVersion'
  | 'ops'
  | 'confidence'
  | 'evidence'
  | 'idempotencyKey'
>;

/** Returns the id of a patch while it is unresolved. It is deterministic: a repeated replay leaves the same one. */
export function unresolvedIdOf({ idempotencyKey }: Pick<ReplayPatch, 'idempotencyKey'>): string {
  return `unp_${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)}`;
}

/**
 * Writes a patch like any other writer, and removes its unresolved entry with it. If the document has changed since the
 * patch was made, the patch is rebased on the current version and tried once more. Throws the remaining problem;
 * ETAG_MISMATCH if both changed the same place, unless `isDecided`.
 */
export async function applyReplayPatch(
  engine: Engine,
  caller: Caller,
  patch: ReplayPatch,
  { isDecided = false } = {},
): Promise<WrittenDocument> {
  const base = await readVersion(engine, caller, patch, patch.baseVersion);
  if (patch.baseVersion === 0 || base !== undefined) {
    try {
      return await write(engine, caller, patch, base?.etag ?? null, patch.ops);
    } catch (error) {
      if (!isMismatch(error)) throw error;
    }
  }
  const latest = await readLatest(engine, caller, patch);
  if (latest === undefined) return write(engine, caller, patch, null, patch.ops);
  const rebase = isDecided ? rebaseDecided : rebaseReplay;
  const ops = rebase({ base: base && contentOf(base), latest: contentOf(latest), ops: patch.ops });
  return write(engine, caller, patch, latest.etag, ops);
}

function contentOf({ body }: { body: Pick<DocumentBody, 'content'> }): Json {
  return { content: body.content };
}

function isMismatch(error: unknown): boolean {
  return error instanceof Problem && error.code === 'ETAG_MISMATCH';
}

function write(
  engine: Engine,
  caller: Caller,
  patch: ReplayPatch,
  etag: string | null,
  ops: readonly PatchOperation[],
): Promise<WrittenDocument> {
  return patchDocument(engine, caller, {
    namespace: patch.namespace,
    path: patch.path,
    profileId: patch.profileId,
    bindingId: patch.bindingId,
    reason: 'replay_update',
    evidence: patch.evidence,
    confidence: patch.confidence,
    precondition: etag === null ? { kind: 'absent' } : { kind: 'one-of', etags: [etag] },
    idempotency: { key: patch.idempotencyKey, payloadHash: payloadHash([patch.idempotencyKey]) },
    ops,
    async alongside(tables) {
      tables.unresolvedPatches.delete(unresolvedIdOf(patch));
      return [];
    },
  });
}

async function readVersion(engine: Engine, caller: Caller, place: DocumentPlace, version: number) {
  if (version === 0) return undefined;
  return engine.store.read(scopeOf(caller), (tables) => documentAt(tables, place, { version }));
}

async function readLatest(
  engine: Engine,
  caller: Caller,
  { namespace, path }: DocumentPlace,
): Promise<GovernedDocument | undefined> {
  const stored = await engine.store.read(scopeOf(caller), (tables) =>
    tables.artifacts.get({ kind: 'document', folder: namespace, name: path }),
  );
  return stored && fromArtifact(stored);
}
