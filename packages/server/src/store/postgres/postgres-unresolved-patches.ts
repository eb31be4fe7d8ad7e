import type { Json, PatchOperation } from '@memhall/core';
import type { UnresolvedPatch, UnresolvedPatches } from '../../ports/unresolved-patches.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';

interface Row {
  user_id: string;
  patch_id: string;
  replay_id: string;
  profile_id: string;
  binding_id: string;
  namespace: string;
  path: string;
  base_version: string;
  ops: PatchOperation[];
  confidence: number;
  evidence: Json;
  idempotency_key: string;
  status: UnresolvedPatch['status'];
  attempts: number;
  problem_code: string;
  problem: string;
  next_attempt_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns =
  'patch_id, replay_id, profile_id, binding_id, namespace, path, base_version, ops, confidence, evidence, idempotency_key, status, attempts, problem_code, problem, next_attempt_at, created_at, updated_at';
const selected = `user_id, ${columns}`;
const ofUser = 'tenant_id = $1 AND user_id = $2';

export function postgresUnresolvedPatches(
  statements: Statements,
  { tenantId, userId }: TransactionScope,
): UnresolvedPatches {
  return {
    async get(patchId) {
      const rows = await statements.query<Row>(
        `SELECT ${selected} FROM memhall.unresolved_patches WHERE ${ofUser} AND patch_id = $3`,
        [tenantId, userId, patchId],
      );
      return rows[0] && fromRow(rows[0]);
    },

    async list({ after, limit }) {
      const rows = await statements.query<Row>(
        `SELECT ${selected} FROM memhall.unresolved_patches
         WHERE ${ofUser} AND (created_at, patch_id) > ($3, $4) ORDER BY created_at, patch_id LIMIT $5`,
        [tenantId, userId, after?.createdAt ?? '-infinity', after?.patchId ?? '', limit],
      );
      return rows.map(fromRow);
    },

    async ofReplays(replayIds) {
      const rows = await statements.query<Row>(
        `SELECT ${selected} FROM memhall.unresolved_patches
         WHERE ${ofUser} AND replay_id = ANY ($3) ORDER BY created_at, patch_id`,
        [tenantId, userId, replayIds],
      );
      return rows.map(fromRow);
    },

    put(patch) {
      statements.enqueue(
        `INSERT INTO memhall.unresolved_patches (tenant_id, user_id, ${columns})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
         ON CONFLICT (tenant_id, user_id, patch_id) DO UPDATE SET
           base_version = excluded.base_version, ops = excluded.ops, confidence = excluded.confidence,
           evidence = excluded.evidence, status = excluded.status, attempts = excluded.attempts, problem_code = excluded.problem_code,
           problem = excluded.problem, next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at`,
        [
          tenantId,
          userId,
          patch.patchId,
          patch.replayId,
          patch.profileId,
          patch.bindingId,
          patch.namespace,
          patch.path,
          patch.baseVersion,
          JSON.stringify(patch.ops),
          patch.confidence,
          JSON.stringify(patch.evidence),
          patch.idempotencyKey,
          patch.status,
          patch.attempts,
          patch.problemCode,
          patch.problem,
          patch.nextAttemptAt,
          patch.createdAt,
          patch.updatedAt,
        ],
      );
    },

    delete(patchId) {
      statements.enqueue(`DELETE FROM memhall.unresolved_patches WHERE ${ofUser} AND patch_id = $3`, [
        tenantId,
        userId,
        patchId,
      ]);
    },

    async due(now, limit) {
      const rows = await statements.query<{ user_id: string; patch_id: string }>(
        `SELECT user_id, patch_id FROM memhall.unresolved_patches
         WHERE tenant_id = $1 AND status = 'waiting' AND next_attempt_at <= $2 ORDER BY next_attempt_at LIMIT $3`,
        [tenantId, now, limit],
      );
      return rows.map(({ user_id, patch_id }) => ({ userId: user_id, patchId: patch_id }));
    },

    async listAll({ after, limit, userId: owner, status, problemCodes }) {
      const rows = await statements.query<Row>(
        `SELECT ${selected} FROM memhall.unresolved_patches
         WHERE tenant_id = $1 AND (created_at, patch_id) > ($2, $3)
           AND ($4::text IS NULL OR user_id = $4) AND ($5::text IS NULL OR status = $5)
           AND ($6::text[] IS NULL OR problem_code = ANY ($6))
         ORDER BY created_at, patch_id LIMIT $7`,
        [
          tenantId,
          after?.createdAt ?? '-infinity',
          after?.patchId ?? '',
          owner ?? null,
          status ?? null,
          problemCodes === undefined ? null : [...problemCodes],
          limit,
        ],
      );
      return rows.map(fromRow);
    },

    async ownerOf(patchId) {
      const rows = await statements.query<{ user_id: string }>(
        'SELECT user_id FROM memhall.unresolved_patches WHERE tenant_id = $1 AND patch_id = $2',
        [tenantId, patchId],
      );
      return rows[0]?.user_id;
    },

    async count() {
      const rows = await statements.query<{ status: UnresolvedPatch['status']; count: string }>(
        'SELECT status, count(*) AS count FROM memhall.unresolved_patches WHERE tenant_id = $1 GROUP BY status',
        [tenantId],
      );
      const found = new Map(rows.map(({ status, count }) => [status, Number(count)]));
      return { waiting: found.get('waiting') ?? 0, review: found.get('review') ?? 0 };
    },
  };
}

function fromRow(row: Row): UnresolvedPatch {
  return {
    patchId: row.patch_id,
    userId: row.user_id,
    replayId: row.replay_id,
    profileId: row.profile_id,
    bindingId: row.binding_id,
    namespace: row.namespace,
    path: row.path,
    baseVersion: Number(row.base_version),
    ops: row.ops,
    confidence: row.confidence,
    evidence: row.evidence,
    idempotencyKey: row.idempotency_key,
    status: row.status,
    attempts: row.attempts,
    problemCode: row.problem_code,
    problem: row.problem,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
