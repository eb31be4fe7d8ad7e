import type { Json, PatchOperation } from '@memhall/core';

/** A patch of a replay that could not be applied. */
export interface UnresolvedPatch {
  patchId: string;
  replayId: string;
  profileId: string;
  bindingId: string;
  namespace: string;
  path: string;
  /** Version of the document that the operations were made for; 0: there was none. */
  baseVersion: number;
  ops: readonly PatchOperation[];
  confidence: number;
  evidence: Json;
  idempotencyKey: string;
  /** waiting: tried again by itself; review: somebody has to decide. */
  status: 'waiting' | 'review';
  attempts: number;
  problemCode: string;
  problem: string;
  nextAttemptAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Unresolved patches of the transaction's user. */
export interface UnresolvedPatches {
  get(patchId: string): Promise<UnresolvedPatch | undefined>;
  /** Oldest first, after the one given. */
  list(page: { after?: { createdAt: Date; patchId: string } | undefined; limit: number }): Promise<UnresolvedPatch[]>;
  /** Replaces what is there. Queued. */
  put(patch: UnresolvedPatch): void;
  /** Queued. */
  delete(patchId: string): void;
  /** Those of the tenant whose time has come, longest due first. Operators' transactions only. */
  due(now: Date, limit: number): Promise<{ userId: string; patchId: string }[]>;
}
