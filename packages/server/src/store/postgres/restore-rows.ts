import { Problem } from '@memhall/core';
import type { ArchiveRecord } from '../../ports/archive.js';
import type { ArchiveTable } from './archive-tables.js';

export interface Restoring {
  query<Row extends object>(text: string, values: unknown[]): Promise<Row[]>;
  /** Waits for those who write to these partitions. Queued. */
  lock(partitions: readonly string[]): void;
  tenantId: string;
  table: ArchiveTable;
  /** Of one type and, for user types, of one user. */
  records: readonly ArchiveRecord[];
}

/** Columns whose value is not taken from the record: SQL expressions, and a value for them as `$3`. */
interface Replaced {
  columns: Readonly<Record<string, string>>;
  value?: string;
}

/** Adds the missing rows; see Archive.restore. Columns that an older archive lacks get their defaults. */
export async function restoreRows(restoring: Restoring, replaced: Replaced = { columns: {} }): Promise<number> {
  let added = 0;
  for (const alike of groupByColumns(restoring.records))
    added += await addRows({ ...restoring, records: alike }, replaced);
  return added;
}

async function addRows(restoring: Restoring, replaced: Replaced): Promise<number> {
  const { query, tenantId, table, records } = restoring;
  const columns = columnsOf(records);
  const values = columns.map((column) => replaced.columns[column] ?? givenValue(table, column));
  const inserted = await query<{ added: string }>(
    `WITH added AS (
       INSERT INTO memhall.${table.table} (tenant_id, ${columns.join(', ')})
       SELECT $1, ${values.join(', ')} FROM ${given(table)} ON CONFLICT DO NOTHING RETURNING 1)
     SELECT count(*) AS added FROM added`,
    [tenantId, toJsonArray(records), ...(replaced.value === undefined ? [] : [replaced.value])],
  );
  await checkRows(restoring);
  return Number(inserted[0]?.added ?? 0);
}

/** Throws CONFLICT unless each record exists and is equal in all checked columns. */
export async function checkRows({ query, tenantId, table, records }: Restoring): Promise<void> {
  const columns = columnsOf(records).filter((column) => !table.unchecked?.includes(column));
  const identity = [...(table.of === 'user' && table.table !== 'memories' ? ['user_id'] : []), ...table.identity];
  const matches = identity.map((column) => ` AND t.${column} = r.${column}`).join('');
  const form = (prefix: string, value: (column: string) => string) =>
    `(SELECT row_to_json(${prefix}) FROM (SELECT ${columns.map((column) => `${value(column)} AS ${column}`).join(', ')}) AS ${prefix})::text`;
  const faults = await query<{ place: number; present: boolean }>(
    `SELECT place::int AS place, t.tenant_id IS NOT NULL AS present
     FROM ${given(table)} LEFT JOIN memhall.${table.table} AS t ON t.tenant_id = $1${matches}
     WHERE t.tenant_id IS NULL
        OR ${form('stored', (column) => `t.${column}`)} <> ${form('wanted', (column) => givenValue(table, column))}
     ORDER BY place LIMIT 1`,
    [tenantId, toJsonArray(records)],
  );
  const [fault] = faults;
  const record = fault && records[fault.place - 1];
  if (record === undefined) return;
  throw new Problem('CONFLICT', `${nameOf(table, record)} ${fault?.present ? different : excluded}`);
}

const different = 'already exists with different content.';
const excluded = 'cannot be added: an existing entry has the same key.';

export function nameOf({ name, identity, of }: ArchiveTable, { row }: ArchiveRecord): string {
  const parts = [...(of === 'user' ? ['user_id'] : []), ...identity].map((column) => `${column}=${row[column]}`);
  return [`The ${name.replaceAll('_', ' ')}`, ...parts].join(' ');
}

/** The records as rows `r` of the table, numbered from 1 in `place`. */
export function given({ table }: ArchiveTable): string {
  return `json_array_elements($2::json) WITH ORDINALITY AS lines (line, place)
    CROSS JOIN LATERAL json_populate_record(NULL::memhall.${table}, line) AS r`;
}

/** Lines are sent to the database unchanged: a JSON column keeps every digit and the order of its members. */
export function toJsonArray(records: readonly ArchiveRecord[]): string {
  return `[${records.map(({ line }) => line).join(',')}]`;
}

function givenValue({ nullable }: ArchiveTable, column: string): string {
  return nullable?.includes(column) ? `coalesce(r.${column}, 'null'::json)` : `r.${column}`;
}

function columnsOf([first]: readonly ArchiveRecord[]): string[] {
  return Object.keys(first?.row ?? {}).filter((column) => column !== 'type');
}

/** Groups consecutive records with the same columns; usually there is one group. */
function groupByColumns(records: readonly ArchiveRecord[]): ArchiveRecord[][] {
  const groups: ArchiveRecord[][] = [];
  let shape: string | undefined;
  for (const record of records) {
    const own = Object.keys(record.row).join();
    if (own !== shape) groups.push([]);
    shape = own;
    groups.at(-1)?.push(record);
  }
  return groups;
}
