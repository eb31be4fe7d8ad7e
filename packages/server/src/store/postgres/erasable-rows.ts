/**
 * Rows that are removed when a user or a tenant is erased. This file names every table with a tenant column; a test
 * checks it.
 */
export interface ErasableRows {
  table: string;
  /** The kind they are counted as; absent if they belong to rows that are counted. */
  kind?: string;
  /** Selects some of the table's rows; absent for all. */
  only?: string;
  /** Selects the rows of the user `$2`. */
  ofUser: string;
  /** When a row was created. Set for rows that are counted. */
  madeAt?: string;
}

const own = 'user_id = $2';
const ownPartition = `partition = 'u:' || $2`;

/** In removal order: the word index before the memories it is built from, children before parents. */
export const personalRows: readonly ErasableRows[] = [
  { table: 'large_partitions', ofUser: ownPartition },
  { table: 'memory_postings', ofUser: ownPartition },
  { table: 'memory_terms', ofUser: ownPartition },
  {
    table: 'memories',
    kind: 'search_documents',
    only: `kind = 'event' AND namespace IS NULL AND NOT is_public`,
    ofUser: ownPartition,
    madeAt: 'created_at',
  },
  {
    table: 'memories',
    kind: 'memories',
    only: `kind <> 'event' AND namespace IS NULL AND NOT is_public`,
    ofUser: ownPartition,
    madeAt: 'created_at',
  },
  {
    table: 'memories',
    kind: 'shared_memories',
    only: '(namespace IS NOT NULL OR is_public)',
    ofUser: own,
    madeAt: 'created_at',
  },
  { table: 'artifacts', kind: 'documents', only: `kind = 'document'`, ofUser: own, madeAt: 'created_at' },
  { table: 'artifacts', kind: 'events', only: `kind = 'event'`, ofUser: own, madeAt: 'created_at' },
  { table: 'artifacts', kind: 'snapshots', only: `kind = 'snapshot'`, ofUser: own, madeAt: 'created_at' },
  { table: 'unindexed_events', ofUser: own },
  { table: 'replays', kind: 'replays', ofUser: own, madeAt: 'created_at' },
  { table: 'episodes', ofUser: own },
  { table: 'resource_pieces', ofUser: own },
  { table: 'resources', kind: 'resources', ofUser: own, madeAt: 'created_at' },
  { table: 'user_keys', kind: 'user_keys', ofUser: own, madeAt: 'created_at' },
  { table: 'unresolved_patches', kind: 'unresolved_patches', ofUser: own, madeAt: 'created_at' },
  { table: 'quarantine', kind: 'quarantined', ofUser: own, madeAt: 'created_at' },
  { table: 'document_checkpoints', ofUser: own },
  { table: 'idempotency_keys', kind: 'idempotency_keys', ofUser: own, madeAt: 'created_at' },
  { table: 'working_values', kind: 'working_values', ofUser: own, madeAt: 'created_at' },
  { table: 'task_sub_tasks', ofUser: own },
  { table: 'task_contexts', kind: 'task_contexts', ofUser: own, madeAt: 'created_at' },
  { table: 'plan_correlations', ofUser: own },
  { table: 'plans', kind: 'plans', ofUser: own, madeAt: 'created_at' },
  { table: 'sessions', kind: 'sessions', ofUser: own, madeAt: 'created_at' },
  { table: 'outer_heads', ofUser: own },
  {
    table: 'audit_records',
    kind: 'versions',
    only: 'version IS NOT NULL',
    ofUser: own,
    madeAt: 'at::timestamptz',
  },
  { table: 'audit_records', kind: 'audit_records', only: 'version IS NULL', ofUser: own, madeAt: 'at::timestamptz' },
  { table: 'audit_cuts', ofUser: own },
  { table: 'audit_heads', ofUser: own },
];

/** Rows of a tenant that belong to no user. */
export const tenantRows: readonly Omit<ErasableRows, 'ofUser'>[] = [
  // Without these keys, encrypted data cannot be read, in any copy.
  { table: 'tenant_keys', kind: 'keys', madeAt: 'created_at' },
  { table: 'namespaces', kind: 'namespaces', madeAt: 'created_at' },
  { table: 'plugin_namespaces' },
  { table: 'profiles', kind: 'profiles', madeAt: 'created_at' },
  { table: 'schemas', kind: 'schemas', madeAt: 'created_at' },
  { table: 'retention_ceilings' },
  { table: 'tenants' },
];

/** Tables that are kept, with the reason. */
export const keptTables: Readonly<Record<string, string>> = {
  receipts: 'They prove the erasure.',
  legal_holds: 'None exists when something is erased: a hold prevents it.',
  memory_removals:
    'Numbers only; they tell the index of every node which memories were removed, and are deleted two hours later.',
};

/** Returns the condition that selects rows of the tenant `$1` and, with `ofUser`, of the user `$2`. */
export function conditionOf({ only, ofUser }: Partial<ErasableRows>): string {
  return ['tenant_id = $1', ofUser, only].filter((part) => part !== undefined).join(' AND ');
}
