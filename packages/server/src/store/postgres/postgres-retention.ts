import type { Retention } from '../../ports/retention.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { deleteMemories } from './change-memories.js';
import { cutChain } from './postgres-erasure.js';

interface CeilingsRow {
  snapshots_days: number | null;
  events_days: number | null;
  audit_days: number | null;
  resources_days: number | null;
}

interface CountRow {
  events: number;
  event_memories: number;
  snapshots: number;
  audit: number;
  resources: number;
}

interface RecordRow {
  seq: string;
  at: string;
  hash: Buffer;
  target: string;
  version: string | null;
}

export function postgresRetention(statements: Statements, scope: TransactionScope): Retention {
  const { tenantId, userId } = scope;
  return {
    async ceilings() {
      const [row] = await statements.query<CeilingsRow>(
        'SELECT snapshots_days, events_days, audit_days, resources_days FROM memhall.retention_ceilings WHERE tenant_id = $1',
        [tenantId],
      );
      return {
        snapshots: row?.snapshots_days ?? null,
        events: row?.events_days ?? null,
        audit: row?.audit_days ?? null,
        resources: row?.resources_days ?? null,
      };
    },

    putCeilings({ snapshots, events, audit, resources }, now) {
      statements.enqueue(
        `INSERT INTO memhall.retention_ceilings (tenant_id, snapshots_days, events_days, audit_days, resources_days, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant_id) DO UPDATE SET snapshots_days = excluded.snapshots_days,
           events_days = excluded.events_days, audit_days = excluded.audit_days,
           resources_days = excluded.resources_days, updated_at = excluded.updated_at`,
        [tenantId, snapshots, events, audit, resources, now],
      );
    },

    async count(ofUser, { events, snapshots, audit, resources }, { eventKind, retentionTarget }) {
      const old = (kind: string, before: string) =>
        `SELECT name FROM memhall.artifacts
         WHERE tenant_id = $1 AND user_id = $2 AND kind = '${kind}' AND occurred_at < ${before}::timestamptz`;
      const records = 'memhall.audit_records WHERE tenant_id = $1 AND user_id = $2';
      const [row] = await statements.query<CountRow>(
        `SELECT (SELECT count(*)::int FROM (${old('event', '$3')}) AS a) AS events,
           (SELECT count(*)::int FROM memhall.memories WHERE tenant_id = $1 AND partition = 'u:' || $2 AND kind = $7
             AND external_id IN (${old('event', '$3')})) AS event_memories,
           (SELECT count(*)::int FROM (${old('snapshot', '$4')}) AS a) AS snapshots,
           (SELECT CASE WHEN $5::text IS NULL OR bool_and(target = $8) THEN 0 ELSE count(*)::int END FROM ${records}
             AND seq < coalesce((SELECT min(seq) FROM ${records} AND at >= $5), 9223372036854775807)) AS audit,
           (SELECT count(*)::int FROM memhall.resources WHERE tenant_id = $1 AND user_id = $2 AND created_at < $6::timestamptz) AS resources`,
        [tenantId, ofUser, events, snapshots, audit?.toISOString() ?? null, resources, eventKind, retentionTarget],
      );
      if (row === undefined) throw new Error('a statement without FROM returned no row');
      const { event_memories: eventMemories, ...counts } = row;
      return { ...counts, eventMemories };
    },

    async removeArtifacts(kind, before, limit) {
      const rows = await statements.query<{ folder: string; name: string }>(
        `DELETE FROM memhall.artifacts WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
           SELECT ctid FROM memhall.artifacts
           WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND occurred_at < $4 ORDER BY occurred_at, name LIMIT $5))
         RETURNING folder, name`,
        [tenantId, userId, kind, before, limit],
      );
      return rows.map(({ folder, name }) => ({ kind, folder, name }));
    },

    async oldResources(before, limit) {
      const rows = await statements.query<{ resource_id: string }>(
        `SELECT resource_id FROM memhall.resources
         WHERE tenant_id = $1 AND user_id = $2 AND created_at < $3 ORDER BY created_at, resource_id LIMIT $4`,
        [tenantId, userId, before, limit],
      );
      return rows.map(({ resource_id }) => resource_id);
    },

    async removeMemories(kind, externalIds) {
      const rows = await statements.query<{ id: string }>(
        deleteMemories(`tenant_id = $1 AND partition = 'u:' || $2 AND kind = $3 AND external_id = ANY ($4)`),
        [tenantId, userId, kind, externalIds],
      );
      return rows.map(({ id }) => id);
    },

    removeReplays(snapshotIds) {
      statements.enqueue(
        `WITH gone AS (DELETE FROM memhall.replays
           WHERE tenant_id = $1 AND user_id = $2 AND snapshot_id = ANY ($3) RETURNING replay_id)
         DELETE FROM memhall.unresolved_patches
         WHERE tenant_id = $1 AND user_id = $2 AND replay_id IN (SELECT replay_id FROM gone)`,
        [tenantId, userId, snapshotIds],
      );
    },

    async oldestRecords(limit) {
      const rows = await statements.query<RecordRow>(
        `SELECT seq, at, hash, target, version FROM memhall.audit_records
         WHERE tenant_id = $1 AND user_id = $2 ORDER BY seq LIMIT $3`,
        [tenantId, userId, limit],
      );
      return rows.map(({ seq, at, hash, target, version }) => ({
        seq: BigInt(seq),
        at: new Date(at),
        hash,
        target,
        version: version === null ? null : Number(version),
      }));
    },

    cutAudit: (upTo) => cutChain(statements, scope, upTo),

    keepState({ namespace, path }, { version, etag, body, at }) {
      statements.enqueue(
        `INSERT INTO memhall.document_checkpoints (tenant_id, user_id, folder, name, version, etag, body, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        [tenantId, userId, namespace, path, version, etag, JSON.stringify(body), at],
      );
    },

    beginAt({ namespace, path }, version, keepFrom) {
      const document = 'tenant_id = $1 AND user_id = $2 AND folder = $3 AND name = $4';
      const values = [tenantId, userId, namespace, path];
      statements.enqueue(
        `UPDATE memhall.document_checkpoints SET is_beginning = (version = $5)
         WHERE ${document} AND is_beginning <> (version = $5)`,
        [...values, version],
      );
      statements.enqueue(`DELETE FROM memhall.document_checkpoints WHERE ${document} AND version < $5`, [
        ...values,
        keepFrom,
      ]);
    },
  };
}
