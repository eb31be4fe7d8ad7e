import { createHash } from 'node:crypto';
import { type Json, type PatchOperation, Problem } from '@memhall/core';
import type { DocumentBody } from '../../ports/artifact-bodies.js';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import { type Caller, scopeOf } from '../caller.js';
import { makeRoom } from '../compaction/make-room.js';
import { documentAt } from '../documents/document-at.js';
import { excessOf } from '../documents/document-limits.js';
import { fromArtifact } from '../documents/governed-document.js';
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
> & {
  /** Key of the larger patch that contained this one in versions before patches were split by section. */
  formerKey?: string;
  /** Default: replay_update. */
  reason?: string;
};

/** A version of the patch's document. */
interface DocumentVersion {
  /** null if there is no document. */
  etag: string | null;
  /** undefined if it is not known. */
  content: DocumentBody['content'] | undefined;
}

interface ApplyOptions {
  /** Someone has read the patch and wants it applied. */
  isDecided?: boolean;
  /** The version that the operations were made for. Default: read by `baseVersion`. */
  base?: DocumentVersion;
  /** A later version that is probably the current one. */
  latest?: DocumentVersion | undefined;
}

/** A limit of a section and one of the document may have to be met, each after the other. */
const compactionsAtMost = 2;

/** Returns the id of a patch while it is unresolved. It is deterministic: a repeated replay leaves the same one. */
export function unresolvedIdOf(idempotencyKey: string): string {
  return `unp_${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)}`;
}

/**
 * Writes a patch like any other writer, and removes its unresolved entry with it. If the document has changed since the
 * patch was made, the patch is rebased on the current version and tried once more. If it exceeds a limit, the document
 * is compacted first. Throws the remaining problem; ETAG_MISMATCH if both changed the same place, unless `isDecided`.
 */
export async function applyReplayPatch(
  engine: Engine,
  caller: Caller,
  patch: ReplayPatch,
  { isDecided = false, base: given, latest: expected }: ApplyOptions = {},
): Promise<WrittenDocument> {
  const base = given ?? (await readBase(engine, caller, patch));
  const rebase = isDecided ? rebaseDecided : rebaseReplay;
  const on = ({ content }: DocumentVersion) =>
    rebase({ base: toJson(base?.content), latest: toJson(content) ?? null, ops: patch.ops });
  const first = expected ?? base;
  if (first !== undefined) {
    try {
      return await write(engine, caller, patch, first.etag, first === base ? patch.ops : on(first));
    } catch (error) {
      if (!isMismatch(error)) throw error;
    }
  }
  const latest = await readLatest(engine, caller, patch);
  return write(engine, caller, patch, latest.etag, latest.etag === null ? patch.ops : on(latest));
}

function toJson(content: DocumentVersion['content']): Json | undefined {
  return content && { content };
}

function isMismatch(error: unknown): boolean {
  return error instanceof Problem && error.code === 'ETAG_MISMATCH';
}

/** Writes operations made for a version. Compacts the document if they exceed one of its limits. */
async function write(
  engine: Engine,
  caller: Caller,
  patch: ReplayPatch,
  etag: string | null,
  ops: readonly PatchOperation[],
  compactions = compactionsAtMost,
): Promise<WrittenDocument> {
  try {
    return await writeOnce(engine, caller, patch, etag, ops);
  } catch (error) {
    const excess = error instanceof Problem ? excessOf(error) : undefined;
    if (excess === undefined || etag === null || compactions === 0) throw error;
    const room = await makeRoom(engine, caller, { ...patch, etag }, excess);
    if (room === undefined) throw error;
    const [base, latest] = [room.before, room.after].map(({ body }): Json => ({ content: body.content }));
    // What the patch changes may be among what was removed. It is then added again.
    const rebased = rebaseDecided({ base, latest: latest ?? null, ops });
    return write(engine, caller, patch, room.after.etag, rebased, compactions - 1);
  }
}

function writeOnce(
  engine: Engine,
  caller: Caller,
  patch: ReplayPatch,
  etag: string | null,
  ops: readonly PatchOperation[],
): Promise<WrittenDocument> {
  const { idempotencyKey: key, formerKey } = patch;
  return patchDocument(engine, caller, {
    namespace: patch.namespace,
    path: patch.path,
    profileId: patch.profileId,
    bindingId: patch.bindingId,
    reason: patch.reason ?? 'replay_update',
    evidence: patch.evidence,
    confidence: patch.confidence,
    precondition: etag === null ? { kind: 'absent' } : { kind: 'one-of', etags: [etag] },
    idempotency: {
      key,
      payloadHash: payloadHash([key]),
      ...(formerKey === undefined ? {} : { containedIn: formerKey }),
    },
    ops,
    async alongside(tables) {
      tables.unresolvedPatches.delete(unresolvedIdOf(key));
      if (formerKey !== undefined) tables.unresolvedPatches.delete(unresolvedIdOf(formerKey));
      return [];
    },
  });
}

/** Returns undefined if the version no longer exists. */
async function readBase(
  engine: Engine,
  caller: Caller,
  { baseVersion, ...place }: ReplayPatch,
): Promise<DocumentVersion | undefined> {
  if (baseVersion === 0) return { etag: null, content: undefined };
  const state = await engine.store.read(scopeOf(caller), (tables) =>
    documentAt(tables, place, { version: baseVersion }),
  );
  return state && { etag: state.etag, content: state.body.content };
}

async function readLatest(
  engine: Engine,
  caller: Caller,
  { namespace, path }: DocumentPlace,
): Promise<DocumentVersion> {
  const stored = await engine.store.read(scopeOf(caller), (tables) =>
    tables.artifacts.get({ kind: 'document', folder: namespace, name: path }),
  );
  if (stored === undefined) return { etag: null, content: undefined };
  const { etag, body } = fromArtifact(stored);
  return { etag, content: body.content };
}
