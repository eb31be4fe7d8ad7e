import { type Json, type PatchOperation, Problem, rebasePatch } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import { type Caller, scopeOf } from '../caller.js';
import { documentAt } from '../documents/document-at.js';
import { fromArtifact, type GovernedDocument } from '../documents/governed-document.js';
import { patchDocument } from '../documents/patch-document.js';
import type { WrittenDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import { payloadHash } from '../idempotency.js';
import { readArtifacts } from '../outer/mutate-outer.js';

/** What it takes to write a replay's patch. */
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

/**
 * Writes a patch as any other writer would. Where the document has changed since the patch was made, the patch is rebased on
 * what it is now and tried once more. Throws the problem that remains; ETAG_MISMATCH where both changed the same place.
 */
export async function applyReplayPatch(engine: Engine, caller: Caller, patch: ReplayPatch): Promise<WrittenDocument> {
  const base = await readVersion(engine, caller, patch, patch.baseVersion);
  if (patch.baseVersion === 0 || base !== undefined) {
    try {
      return await write(engine, caller, patch, base?.etag ?? null, patch.ops);
    } catch (error) {
      if (!isMismatch(error)) throw error;
    }
  }
  const latest = await readLatest(engine, caller, patch);
  return write(engine, caller, patch, latest?.etag ?? null, rebase(patch.ops, base, latest));
}

function rebase(
  ops: readonly PatchOperation[],
  base: { body: unknown } | undefined,
  latest: GovernedDocument | undefined,
): readonly PatchOperation[] {
  if (latest === undefined) return ops;
  const after = contentOf(latest);
  const appends = ops.every(({ op, path }) => op === 'add' && path.endsWith('/-'));
  // Without the version it was made for, only what is added at the end can be meant the same way now.
  if (base === undefined && !appends) throw conflict('the version it was made for is gone');
  const rebased = rebasePatch({ base: base === undefined ? after : contentOf(base), latest: after, ops: [...ops] });
  if ('conflict' in rebased) throw conflict(rebased.conflict.reason);
  return rebased.ops;
}

function contentOf({ body }: { body: unknown }): Json {
  return { content: (body as { content: Json }).content };
}

function conflict(reason: string): Problem {
  return new Problem('ETAG_MISMATCH', `The document was changed in the same place: ${reason}.`);
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
  const stored = await readArtifacts(engine, caller, (tables) =>
    tables.artifacts.get({ kind: 'document', folder: namespace, name: path }),
  );
  return stored && fromArtifact(stored);
}
