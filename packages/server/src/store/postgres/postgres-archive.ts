import type { Archive, ArchiveType } from '../../ports/archive.js';
import type { TransactionScope } from '../database.js';
import type { Statements } from '../statements.js';
import { type ArchiveTable, archiveTables } from './archive-tables.js';
import { lockPartitions } from './lock-partitions.js';
import { restoreAuditRecords, restoreCuts, restoreHeads } from './restore-audit.js';
import { restoreMemories } from './restore-memories.js';
import { type Restoring, restoreRows } from './restore-rows.js';

export function postgresArchive(statements: Statements, { tenantId }: TransactionScope): Archive {
  let isPrepared = false;
  const query = <Row extends object>(text: string, values: unknown[]): Promise<Row[]> => {
    if (!isPrepared) statements.set(fixedFormats);
    isPrepared = true;
    return statements.query<Row>(text, values);
  };
  return {
    page: (type, { userId, after, limit }) => {
      const table = tableOf(type);
      const values: unknown[] = [tenantId];
      const conditions = [rowsOf(table, userId, values)];
      const order = (table.order ?? table.identity).map((column) => `t.${column}`);
      if (after !== undefined) {
        if (order.length === 0) return Promise.resolve([]);
        conditions.push(`(${order}) > (${after.map((part) => `$${values.push(part)}`)})`);
      }
      return query(
        `SELECT (SELECT row_to_json(r) FROM (SELECT '${table.name}' AS type, ${prefixed(table.columns)}) AS r)::text AS line,
                ARRAY[${order.map((column) => `${column}::text`)}]::text[] AS key
         FROM memhall.${table.table} AS t WHERE ${conditions.join(' AND ')}
         ${order.length === 0 ? '' : `ORDER BY ${order} `}LIMIT $${values.push(limit)}`,
        values,
      );
    },

    async count(userId) {
      const values: unknown[] = [tenantId];
      const counts = archiveTables.map(
        (table) => `(SELECT count(*) FROM memhall.${table.table} AS t WHERE ${countedRows(table, userId, values)})`,
      );
      const rows = await query<{ count: string }>(`SELECT ${counts.join(' + ')} AS count`, values);
      return Number(rows[0]?.count ?? 0);
    },

    async nextUser(after) {
      const firsts = archiveTables.flatMap(({ of, table }) => {
        if (of === 'tenant') return [];
        return table === 'memories'
          ? `(SELECT substr(min(partition), 3) FROM memhall.memories WHERE tenant_id = $1 AND partition > 'u:' || $2::text)`
          : `(SELECT min(user_id) FROM memhall.${table} WHERE tenant_id = $1 AND user_id > $2)`;
      });
      const rows = await query<{ next: string | null }>(`SELECT least(${firsts}) AS next`, [tenantId, after]);
      return rows[0]?.next ?? undefined;
    },

    async fingerprint(userId) {
      const rows = await query<{ fingerprint: string }>(
        userId === null ? tenantFingerprint : userFingerprint,
        userId === null ? [tenantId] : [tenantId, userId],
      );
      return rows[0]?.fingerprint ?? '';
    },

    async masterKeyIds() {
      const rows = await query<{ wrapped_by: string }>(
        'SELECT DISTINCT wrapped_by FROM memhall.tenant_keys WHERE tenant_id = $1 ORDER BY wrapped_by',
        [tenantId],
      );
      return rows.map(({ wrapped_by }) => wrapped_by);
    },

    restore(type, records) {
      const table = tableOf(type);
      const restore = restorers[table.table] ?? restoreRows;
      const lock = (partitions: readonly string[]) => lockPartitions(statements, tenantId, partitions);
      return restore({ query, lock, tenantId, table, records });
    },
  };
}

/** Tables whose rows need more than an insert. */
const restorers: Readonly<Record<string, (restoring: Restoring) => Promise<number>>> = {
  audit_cuts: restoreCuts,
  audit_heads: restoreHeads,
  audit_records: restoreAuditRecords,
  memories: restoreMemories,
};

/** The text form of times, bytes and numbers must not depend on session or database settings. */
const fixedFormats = { TimeZone: 'UTC', bytea_output: 'hex', extra_float_digits: '1' };

const userFingerprint = `SELECT concat(
  (SELECT seq || '/' || encode(hash, 'hex') FROM memhall.audit_heads WHERE tenant_id = $1 AND user_id = $2), '/',
  (SELECT max(revision) FROM memhall.memories WHERE tenant_id = $1 AND partition = 'u:' || $2::text)) AS fingerprint`;

const tenantFingerprint = `SELECT concat((SELECT sum(seq) FROM memhall.audit_heads WHERE tenant_id = $1), '/',
  (SELECT last_value FROM memhall.memory_revision), '/',
  (SELECT sum(size) FROM memhall.audit_log_heads WHERE tenant_id = $1)) AS fingerprint`;

function tableOf({ name }: ArchiveType): ArchiveTable {
  const table = archiveTables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`there is no table for ${name}`);
  return table;
}

function prefixed(columns: readonly string[], prefix = 't'): string {
  return columns.map((column) => `${prefix}.${column}`).join(', ');
}

/** Returns the condition for a page's rows; $2 is the user if there is one. */
function rowsOf(table: ArchiveTable, userId: string | undefined, values: unknown[]): string {
  const conditions = ['t.tenant_id = $1', ...(table.condition === undefined ? [] : [table.condition])];
  if (userId === undefined) return [...conditions, ...(table.isForReading ? ['false'] : [])].join(' AND ');
  const own = table.of === 'user' ? ownRows(table) : (table.ofUser ?? 'false');
  conditions.push(own);
  if (conditions.some((condition) => condition.includes('$2'))) values[1] = userId;
  return conditions.join(' AND ');
}

function ownRows({ condition }: ArchiveTable): string {
  return condition === undefined ? 't.user_id = $2' : 'true';
}

/** Like `rowsOf`, but covers all users if none is given. */
function countedRows(table: ArchiveTable, userId: string | undefined, values: unknown[]): string {
  if (userId !== undefined) return rowsOf(table, userId, values);
  return table.condition?.includes('$2') ? `t.tenant_id = $1 AND partition >= 'u:'` : rowsOf(table, undefined, values);
}
