/**
 * Rows that are removed when a user or a tenant is erased, and that must not be there when the receipt is checked. This file names
 * every table with a tenant column; a test checks it.
 */
interface ErasableRows {
  table: string;
  /** The kind they are counted as. */
  kind: string;
  /** Selects some of the table's rows; absent for all. */
  only?: string;
  /** Selects the rows of the user `$2`. */
  ofUser: string;
  /** When a row was created. Rows without a time of their own have that of the row they belong to. */
  madeAt: string;
}

const own = 'user_id = $2';
const ownPartition = `partition = 'u:' || $2`;
const createdAt = 'created_at';
const recordedAt = 'at::timestamptz';

/** Returns the time of the row that a row belongs to. Without that row it is left over, and older than any erasure. */
function timeOf(found: string): string {
  return `coalesce((${found}), '-infinity')`;
}

function parentTime(child: string, parent: string, key: string): string {
  return timeOf(
    `SELECT p.created_at FROM memhall.${parent} AS p
     WHERE (p.tenant_id, p.user_id, p.${key}) = (${child}.tenant_id, ${child}.user_id, ${child}.${key})`,
  );
}

/** Returns the time of a record in the chain that a row is about. */
function recordTime(table: string, seq: string): string {
  return timeOf(
    `SELECT r.${recordedAt} FROM memhall.audit_records AS r
     WHERE (r.tenant_id, r.user_id, r.seq) = (${table}.tenant_id, ${table}.user_id, ${seq})`,
  );
}

/** Returns the time of the newest memory of the partition, or of those in `from` that the condition selects. */
function memoryTime(table: string, from = '', condition = ''): string {
  return timeOf(
    `SELECT m.created_at FROM memhall.memories AS m${from}
     WHERE (m.tenant_id, m.partition) = (${table}.tenant_id, ${table}.partition)${condition} ORDER BY m.seq DESC LIMIT 1`,
  );
}

/** In removal order: the word index before the memories it is built from, children before parents. */
export const personalRows: readonly ErasableRows[] = [
  { table: 'large_partitions', kind: 'index_entries', ofUser: ownPartition, madeAt: memoryTime('large_partitions') },
  { table: 'memory_pages', kind: 'index_entries', ofUser: ownPartition, madeAt: memoryTime('memory_pages') },
  {
    table: 'memory_postings',
    kind: 'index_entries',
    ofUser: ownPartition,
    madeAt: memoryTime('memory_postings', '', ' AND m.seq = memory_postings.seq'),
  },
  {
    table: 'memory_terms',
    kind: 'index_entries',
    ofUser: ownPartition,
    madeAt: memoryTime(
      'memory_terms',
      ' JOIN memhall.memory_postings AS p USING (tenant_id, partition, seq)',
      ' AND p.term = memory_terms.term',
    ),
  },
  { table: 'changes', kind: 'changes', ofUser: own, madeAt: 'at' },
  { table: 'webhook_events', kind: 'webhook_events', ofUser: own, madeAt: 'at' },
  { table: 'memory_versions', kind: 'memory_versions', ofUser: own, madeAt: 'ended_at' },
  {
    table: 'memories',
    kind: 'search_documents',
    only: `kind = 'event' AND namespace IS NULL AND NOT is_public`,
    ofUser: ownPartition,
    madeAt: createdAt,
  },
  {
    table: 'memories',
    kind: 'memories',
    only: `kind <> 'event' AND namespace IS NULL AND NOT is_public`,
    ofUser: ownPartition,
    madeAt: createdAt,
  },
  {
    table: 'memories',
    kind: 'shared_memories',
    only: '(namespace IS NOT NULL OR is_public)',
    ofUser: own,
    madeAt: createdAt,
  },
  { table: 'fact_evidence', kind: 'fact_evidence', ofUser: own, madeAt: 'at' },
  { table: 'fact_readings', kind: 'fact_readings', ofUser: own, madeAt: createdAt },
  { table: 'fact_states', kind: 'fact_states', ofUser: own, madeAt: 'at' },
  { table: 'reverted_rows', kind: 'reverted', ofUser: own, madeAt: 'at' },
  { table: 'subject_names', kind: 'subject_names', ofUser: own, madeAt: 'at' },
  { table: 'fact_places', kind: 'fact_places', ofUser: own, madeAt: createdAt },
  { table: 'facts', kind: 'facts', ofUser: own, madeAt: 'recorded_at' },
  { table: 'artifacts', kind: 'documents', only: `kind = 'document'`, ofUser: own, madeAt: createdAt },
  { table: 'artifacts', kind: 'events', only: `kind = 'event'`, ofUser: own, madeAt: createdAt },
  { table: 'artifacts', kind: 'snapshots', only: `kind = 'snapshot'`, ofUser: own, madeAt: createdAt },
  { table: 'unindexed_events', kind: 'unindexed_events', ofUser: own, madeAt: 'since' },
  { table: 'replays', kind: 'replays', ofUser: own, madeAt: createdAt },
  { table: 'episodes', kind: 'episodes', ofUser: own, madeAt: createdAt },
  {
    table: 'resource_pieces',
    kind: 'resource_pieces',
    ofUser: own,
    madeAt: parentTime('resource_pieces', 'resources', 'resource_id'),
  },
  { table: 'resources', kind: 'resources', ofUser: own, madeAt: createdAt },
  { table: 'user_keys', kind: 'user_keys', ofUser: own, madeAt: createdAt },
  { table: 'user_settings', kind: 'user_settings', ofUser: own, madeAt: createdAt },
  { table: 'unresolved_patches', kind: 'unresolved_patches', ofUser: own, madeAt: createdAt },
  { table: 'quarantine', kind: 'quarantined', ofUser: own, madeAt: createdAt },
  { table: 'document_checkpoints', kind: 'checkpoints', ofUser: own, madeAt: 'at' },
  { table: 'idempotency_keys', kind: 'idempotency_keys', ofUser: own, madeAt: createdAt },
  { table: 'working_values', kind: 'working_values', ofUser: own, madeAt: createdAt },
  {
    table: 'task_sub_tasks',
    kind: 'sub_tasks',
    ofUser: own,
    madeAt: parentTime('task_sub_tasks', 'task_contexts', 'task_id'),
  },
  { table: 'task_contexts', kind: 'task_contexts', ofUser: own, madeAt: createdAt },
  {
    table: 'plan_correlations',
    kind: 'plan_correlations',
    ofUser: own,
    madeAt: parentTime('plan_correlations', 'plans', 'plan_id'),
  },
  { table: 'plans', kind: 'plans', ofUser: own, madeAt: createdAt },
  { table: 'sessions', kind: 'sessions', ofUser: own, madeAt: createdAt },
  { table: 'unrecorded_sessions', kind: 'unrecorded_sessions', ofUser: own, madeAt: 'started_at' },
  {
    table: 'outer_heads',
    kind: 'outer_heads',
    ofUser: own,
    // A head without a change says that the user was looked up in the blob store. That can happen at any time.
    madeAt: `CASE WHEN change_id = '' AND audit_seq = 0 THEN 'infinity' ELSE ${recordTime(
      'outer_heads',
      `(SELECT h.seq FROM memhall.audit_heads AS h
        WHERE (h.tenant_id, h.user_id) = (outer_heads.tenant_id, outer_heads.user_id))`,
    )} END`,
  },
  { table: 'audit_log_chains', kind: 'audit_chains', ofUser: own, madeAt: createdAt },
  { table: 'audit_records', kind: 'versions', only: 'version IS NOT NULL', ofUser: own, madeAt: recordedAt },
  { table: 'audit_records', kind: 'audit_records', only: 'version IS NULL', ofUser: own, madeAt: recordedAt },
  // The record after a cut is always there.
  { table: 'audit_cuts', kind: 'audit_cuts', ofUser: own, madeAt: recordTime('audit_cuts', 'audit_cuts.seq + 1') },
  { table: 'audit_heads', kind: 'audit_heads', ofUser: own, madeAt: recordTime('audit_heads', 'audit_heads.seq') },
];

/** Selected by their tenant alone, or by their user as well. */
export type TenantRows = Omit<ErasableRows, 'ofUser'> & Partial<Pick<ErasableRows, 'ofUser'>>;

/** Rows of a tenant that belong to no user. */
export const tenantRows: readonly TenantRows[] = [
  // Without these keys, encrypted data cannot be read, in any copy.
  { table: 'tenant_keys', kind: 'keys', madeAt: createdAt },
  { table: 'webhook_deliveries', kind: 'webhook_deliveries', madeAt: createdAt },
  { table: 'webhooks', kind: 'settings', madeAt: createdAt },
  { table: 'namespaces', kind: 'namespaces', madeAt: createdAt },
  { table: 'plugin_namespaces', kind: 'namespaces', madeAt: 'first_used_at' },
  { table: 'profiles', kind: 'profiles', madeAt: createdAt },
  { table: 'schemas', kind: 'schemas', madeAt: createdAt },
  { table: 'attributes', kind: 'attributes', madeAt: createdAt },
  { table: 'retention_ceilings', kind: 'settings', madeAt: 'updated_at' },
  {
    table: 'tenants',
    kind: 'settings',
    madeAt: timeOf(`SELECT max(r.at)::timestamptz FROM memhall.audit_records AS r
      WHERE (r.tenant_id, r.user_id, r.target) = (tenants.tenant_id, '', 'tenant/language')`),
  },
];

/** Tables that are kept, with the reason. */
export const keptTables: Readonly<Record<string, string>> = {
  receipts: 'They prove the erasure.',
  audit_logs: 'They prove that nothing else was removed from the audit log, and name nobody.',
  audit_log_leaves: 'Hashes, under random ids of chains.',
  audit_log_heads: 'Signed hashes of the leaves.',
  legal_holds: 'None exists when something is erased: a hold prevents it.',
  token_revocations:
    'Without them, revoked tokens would be valid again. They are deleted when the tokens have expired.',
  quota_counts: 'Numbers of requests under hashes, deleted when their minute is over.',
  memory_removals:
    'Numbers only; they tell the index of every node which memories were removed, and are deleted two hours later.',
};

/** Returns the condition that selects rows of the tenant `$1` and, with `ofUser`, of the user `$2`. */
export function conditionOf({ only, ofUser }: Partial<ErasableRows>): string {
  return ['tenant_id = $1', ofUser, only].filter((part) => part !== undefined).join(' AND ');
}
