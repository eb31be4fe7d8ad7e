import type { ChainEnd } from '../../ports/audit-log.js';
import type { DocumentState } from '../../ports/document-checkpoints.js';
import { type Counts, type Erasure, erasedAuthor } from '../../ports/erasure.js';
import { workspaceOwner } from '../../ports/owners.js';
import type { TransactionScope } from '../database.js';
import { lockCall } from '../locks.js';
import type { Statements } from '../statements.js';
import { deleteMemories, updateMemories } from './change-memories.js';
import { conditionOf, personalRows, type TenantRows, tenantRows } from './erasable-rows.js';
import { listForWebhooks } from './list-for-webhooks.js';
import { lockPartitions } from './lock-partitions.js';
import {
  authoredElsewhere,
  countElsewhere,
  fromTarget,
  isRevertedOf,
  notesElsewhere,
  writtenFor,
} from './notes-elsewhere.js';

/** Selects whether the user `$2` has any row, or the namespace `$3` any memory. */
export const anyRow = `SELECT ${[...personalRows, { table: 'memories', ofUser: `partition = 'n:' || $3` }]
  .map((rows) => `EXISTS (SELECT 1 FROM memhall.${rows.table} WHERE ${conditionOf(rows)})`)
  .join(' OR ')} AS has_rows`;

/** Tells those who follow a shared partition what the user `$2` no longer has there, without saying whose it was. */
const listSharedRemovals = `WITH new AS (
    SELECT partition, 'users.forget' AS operation, kind, id, now() AS at, seq AS number FROM memhall.memories
    WHERE tenant_id = $1 AND user_id = $2 AND (namespace IS NOT NULL OR is_public)),
  listed AS (
    INSERT INTO memhall.changes (tenant_id, partition, user_id, operation, kind, id, at)
    SELECT $1, partition, '', operation, kind, id, at FROM new ORDER BY number)
  ${listForWebhooks("''")}`;

const everybodysRows = personalRows.map(({ ofUser: _, ...rows }): TenantRows => rows);

export function postgresErasure(statements: Statements, scope: TransactionScope): Erasure {
  const { tenantId, userId } = scope;
  const remove = async (rows: readonly TenantRows[], values: string[]): Promise<Counts> => {
    const removed: { kind: string; count: number }[] = [];
    for (const { kind, ...one } of rows) {
      const condition = conditionOf(one);
      const { rowCount } = await statements.send(
        one.table === 'memories' ? deleteMemories(condition) : `DELETE FROM memhall.${one.table} WHERE ${condition}`,
        values,
      );
      removed.push({ kind, count: rowCount ?? 0 });
    }
    return sumByKind(removed, 'count');
  };

  /** Takes the same locks as `Memories.lock`, in order, so that two such transactions never deadlock. */
  const lockShared = async (condition: string, values: string[]) => {
    const rows = await statements.query<{ partition: string }>(
      `SELECT DISTINCT partition FROM memhall.memories
       WHERE tenant_id = $1 AND (namespace IS NOT NULL OR is_public)${condition}`,
      values,
    );
    const keys = rows.map(({ partition }) => partition);
    lockPartitions(statements, tenantId, keys);
  };

  return {
    async removeUser() {
      await lockShared(' AND user_id = $2', [tenantId, userId]);
      statements.enqueue(listSharedRemovals, [tenantId, userId]);
      return remove(personalRows, [tenantId, userId]);
    },

    async removeTenant() {
      await lockShared('', [tenantId]);
      return remove([...everybodysRows, ...tenantRows], [tenantId]);
    },

    async count(ofUser, moment) {
      const rows: readonly TenantRows[] = ofUser === null ? [...everybodysRows, ...tenantRows] : personalRows;
      const given = ofUser === null ? '$2' : '$3';
      const count = (condition: (rows: TenantRows) => string) =>
        rows.map(
          ({ kind, madeAt, ...one }) =>
            `SELECT '${kind}' AS kind, count(*) FILTER (WHERE made_at < ${given})::int AS before,
               count(*) FILTER (WHERE made_at >= ${given})::int AS since
             FROM (SELECT ${madeAt} AS made_at FROM memhall.${one.table} WHERE ${condition({ kind, madeAt, ...one })}) AS rows`,
        );
      const ofWorkspace = (one: TenantRows) =>
        `${conditionOf(one).replaceAll('$2', `('workspace/' || $2)`)} AND ${isAlone('$3')}`;
      const others = ofUser === null ? [] : [...count(ofWorkspace), ...countElsewhere()];
      const found = await statements.query<{ kind: string; before: number; since: number }>(
        [...count(conditionOf), ...others].join(' UNION ALL '),
        [tenantId, ...(ofUser === null ? [] : [ofUser]), moment],
      );
      return { before: sumByKind(found, 'before'), since: sumByKind(found, 'since') };
    },

    async hasRows(ofUser, namespace) {
      const owners = [ofUser, workspaceOwner(ofUser)];
      const found = await Promise.all(
        owners.map((owner) => statements.query<{ has_rows: boolean }>(anyRow, [tenantId, owner, namespace])),
      );
      return found.some(([row]) => row?.has_rows);
    },

    async isAloneInWorkspace(ofUser) {
      const [row] = await statements.query<{ alone: boolean }>(`SELECT ${isAlone(`'infinity'`)} AS alone`, [
        tenantId,
        ofUser,
      ]);
      return row?.alone ?? false;
    },

    notesElsewhere: notesElsewhere(statements, scope),

    lockNotes() {
      const key = `$1 || E'\\n' || memhall.peer_key($2)`;
      statements.enqueue(`SELECT ${lockCall('notesAbout', key)}`, [tenantId, userId]);
    },

    async replaceRecords(records) {
      const seqs = records.map(({ seq }) => seq.toString());
      const texts = records.map(({ record }) => record);
      const rows = await statements.query<{ seq: string; hash: Buffer; present_hash: Buffer }>(
        `SELECT a.seq, a.hash, sha256(coalesce(p.hash, c.hash, decode(repeat('00', 32), 'hex'))
             || convert_to(a.seq::text || E'\\n' || given.record, 'UTF8')) AS present_hash
         FROM unnest($3::bigint[], $4::text[]) AS given (seq, record)
         JOIN memhall.audit_records AS a ON (a.tenant_id, a.user_id, a.seq) = ($1, $2, given.seq)
         LEFT JOIN memhall.audit_records AS p ON (p.tenant_id, p.user_id, p.seq) = ($1, $2, given.seq - 1)
         LEFT JOIN memhall.audit_cuts AS c ON (c.tenant_id, c.user_id, c.seq) = ($1, $2, given.seq - 1)`,
        [tenantId, userId, seqs, texts],
      );
      // The eraser's role may not update records, only remove and append them.
      const hashes = new Map(rows.map(({ seq, hash }) => [seq, hash]));
      statements.enqueue(
        'DELETE FROM memhall.audit_records WHERE tenant_id = $1 AND user_id = $2 AND seq = ANY ($3::bigint[])',
        [tenantId, userId, seqs],
      );
      statements.enqueue(
        `INSERT INTO memhall.audit_records (tenant_id, user_id, seq, record, hash)
         SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::bytea[])`,
        [tenantId, userId, seqs, texts, seqs.map((seq) => hashes.get(seq))],
      );
      return rows.map(({ seq, hash, present_hash }) => ({ seq: BigInt(seq), hash, presentHash: present_hash }));
    },

    authoredElsewhere: authoredElsewhere(statements, scope),

    writtenFor: writtenFor(statements, scope),

    async eraseAuthor(author) {
      await lockShared(' AND user_id = $2', [tenantId, userId]);
      const { rowCount } = await statements.send(
        updateMemories('author = $4', {
          condition: `tenant_id = $1 AND user_id = $2 AND author = $3 AND author <> user_id AND author <> ''`,
        }),
        [tenantId, userId, author, erasedAuthor],
      );
      statements.enqueue(
        `DELETE FROM memhall.reverted_rows WHERE tenant_id = $1 AND user_id = $2 AND ${isRevertedOf('$3')}`,
        [tenantId, userId, author],
      );
      statements.enqueue(
        `UPDATE memhall.memory_versions SET author = $4
         WHERE tenant_id = $1 AND user_id = $2 AND author = $3 AND author <> user_id AND author <> ''`,
        [tenantId, userId, author, erasedAuthor],
      );
      return rowCount ?? 0;
    },

    async copiesOf({ namespace, path }) {
      const rows = await statements.query<{ target: string }>(
        `SELECT DISTINCT target FROM memhall.audit_records
         WHERE tenant_id = $1 AND user_id = $2 AND version IS NOT NULL AND (record::json -> 'origin') ->> 'migrated_from' = $3
         ORDER BY target`,
        [tenantId, userId, `${namespace}/${path}`],
      );
      return rows.map(({ target }) => fromTarget(target));
    },

    async states({ namespace, path }) {
      const rows = await statements.query<Omit<DocumentState, 'version'> & { version: string }>(
        `SELECT version, etag, body, at FROM memhall.document_checkpoints
         WHERE tenant_id = $1 AND user_id = $2 AND folder = $3 AND name = $4 ORDER BY version`,
        [tenantId, userId, namespace, path],
      );
      return rows.map((row) => ({ ...row, version: Number(row.version) }));
    },

    replaceState({ namespace, path }, { version, etag, body }) {
      statements.enqueue(
        `UPDATE memhall.document_checkpoints SET etag = $6, body = $7
         WHERE tenant_id = $1 AND user_id = $2 AND folder = $3 AND name = $4 AND version = $5`,
        [tenantId, userId, namespace, path, version, etag, JSON.stringify(body)],
      );
    },

    removeStates({ namespace, path }) {
      statements.enqueue(
        'DELETE FROM memhall.document_checkpoints WHERE tenant_id = $1 AND user_id = $2 AND folder = $3 AND name = $4',
        [tenantId, userId, namespace, path],
      );
    },

    removeKeys(idempotencyKeys) {
      if (idempotencyKeys.length === 0) return;
      statements.enqueue(
        'DELETE FROM memhall.idempotency_keys WHERE tenant_id = $1 AND user_id = $2 AND key = ANY ($3)',
        [tenantId, userId, [...idempotencyKeys]],
      );
    },
  };
}

/** Whether nobody but the user `$2` wrote to the workspace of that name before a moment. Services may act without a user. */
const isAlone = (moment: string) => `NOT EXISTS (
    SELECT 1 FROM memhall.audit_records AS r WHERE r.tenant_id = $1 AND r.user_id = 'workspace/' || $2::text
      AND r.at::timestamptz < ${moment} AND r.record::json -> 'actor' ->> 'user_id' <> $2)
  AND NOT EXISTS (
    SELECT 1 FROM memhall.artifacts AS d WHERE d.tenant_id = $1 AND d.user_id = 'workspace/' || $2::text AND d.created_at < ${moment}
      AND NOT (coalesce((d.body -> 'content' -> 'writers')::jsonb, '[]') <@ jsonb_build_array($2::text, '')))`;

function sumByKind<Row extends { kind: string }>(rows: readonly Row[], member: Exclude<keyof Row, 'kind'>): Counts {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[row.kind] = (sums[row.kind] ?? 0) + Number(row[member]);
  return sums;
}

/** Removes the records of a chain up to and including `cut`. */
export async function cutChain(
  statements: Statements,
  { tenantId, userId }: Pick<TransactionScope, 'tenantId' | 'userId'>,
  cut: ChainEnd,
): Promise<number> {
  const seq = cut.seq.toString();
  const { rowCount } = await statements.send(
    'DELETE FROM memhall.audit_records WHERE tenant_id = $1 AND user_id = $2 AND seq <= $3',
    [tenantId, userId, seq],
  );
  statements.enqueue(
    `INSERT INTO memhall.audit_cuts (tenant_id, user_id, seq, hash) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`,
    [tenantId, userId, seq, cut.hash],
  );
  return rowCount ?? 0;
}
