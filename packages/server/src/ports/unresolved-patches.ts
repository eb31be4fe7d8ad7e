import type { Json, PatchOperation } from '@memhall/core';

/** A replay's patch that could not be applied. */
export interface UnresolvedPatch {
  patchId: string;
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

/** Unresolved patches of the transaction's user. */
export interface UnresolvedPatches {
  get(patchId: string): Promise<UnresolvedPatch | undefined>;
  /** Oldest first, starting after `after`. */
  list(page: { after?: { createdAt: Date; patchId: string } | undefined; limit: number }): Promise<UnresolvedPatch[]>;
  /** Inserts or replaces. Queued. */
  put(patch: UnresolvedPatch): void;
  /** Queued. */
  delete(patchId: string): void;
  /** Returns the tenant's patches that are due, longest due first. Operator transactions only. */
  due(now: Date, limit: number): Promise<{ userId: string; patchId: string }[]>;
}
