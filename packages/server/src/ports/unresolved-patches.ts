import type { Json, PatchOperation } from '@memhall/core';

/** A replay's patch that could not be applied. */
export interface UnresolvedPatch {
  patchId: string;
  /** The owner of the document. */
  userId: string;
  replayId: string;
  profileId: string;
  bindingId: string;
  namespace: string;
  path: string;
  /** Version of the document that the operations are based on; 0 if it did not exist. */
  baseVersion: number;
  ops: readonly PatchOperation[];
  confidence: number;
  evidence: Json;
  idempotencyKey: string;
  /** `waiting`: retried automatically. `review`: someone has to decide. */
  status: 'waiting' | 'review';
  attempts: number;
  problemCode: string;
  problem: string;
  nextAttemptAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

type PatchStatus = UnresolvedPatch['status'];

interface PatchPage {
  after?: { createdAt: Date; patchId: string } | undefined;
  limit: number;
}

/** Conditions that must all hold. */
interface PatchFilter {
  userId?: string | undefined;
  status?: PatchStatus | undefined;
  problemCodes?: readonly string[] | undefined;
}

/** Unresolved patches of the transaction's user, unless a method says otherwise. */
export interface UnresolvedPatches {
  get(patchId: string): Promise<UnresolvedPatch | undefined>;
  /** Oldest first, starting after `after`. */
  list(page: PatchPage): Promise<UnresolvedPatch[]>;
  /** Returns the patches of these replays, oldest first. */
  ofReplays(replayIds: readonly string[]): Promise<UnresolvedPatch[]>;
  /** Inserts or replaces, for the transaction's user. Queued. */
  put(patch: UnresolvedPatch): void;
  /** Queued. */
  delete(patchId: string): void;
  /** Returns the tenant's patches that are due, longest due first. Operator transactions only. */
  due(now: Date, limit: number): Promise<{ userId: string; patchId: string }[]>;
  /** Lists patches of all users of the tenant, oldest first, starting after `after`. Operator transactions only. */
  listAll(page: PatchPage & PatchFilter): Promise<UnresolvedPatch[]>;
  /** Returns the user that a patch of the tenant belongs to; undefined if there is none. Operator transactions only. */
  ownerOf(patchId: string): Promise<string | undefined>;
  /** Counts the patches of all users of the tenant. Operator transactions only. */
  count(): Promise<Record<PatchStatus, number>>;
}
