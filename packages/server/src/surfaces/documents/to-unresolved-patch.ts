import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';

export function toUnresolvedPatch(patch: UnresolvedPatch) {
  return {
    patch_id: patch.patchId,
    user_id: patch.userId,
    replay_id: patch.replayId,
    profile_id: patch.profileId,
    binding_id: patch.bindingId,
    namespace: patch.namespace,
    path: patch.path,
    ops: [...patch.ops],
    confidence: patch.confidence,
    evidence: patch.evidence,
    status: patch.status,
    attempts: patch.attempts,
    problem: { code: patch.problemCode, message: patch.problem },
    next_attempt_at: patch.nextAttemptAt?.toISOString() ?? null,
    created_at: patch.createdAt.toISOString(),
    updated_at: patch.updatedAt.toISOString(),
  };
}
