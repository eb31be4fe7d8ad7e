import type { ArchiveType } from '../../ports/archive.js';

/** A table as it appears in archives. Every table has `tenant_id`, which the archive states only once. */
export interface ArchiveTable extends ArchiveType {
  table: string;
  /** Columns that identify a row among the tenant's, or the user's, rows. */
  identity: readonly string[];
  /** Order in which rows are read: unique and supported by an index. Default: the identity. */
  order?: readonly string[];
  /** Selects the table's rows that are of this type; default: all. */
  condition?: string;
  /** Selects the rows of a tenant type that belong to the user $2; default: none. */
  ofUser?: string;
  /** Columns that may have changed without a user's action: equal rows may differ in them. */
  unchecked?: readonly string[];
  /** JSON columns in which null is a valid value. */
  nullable?: readonly string[];
  /** Columns that archives leave out, with the reason. */
  omitted?: Readonly<Record<string, string>>;
}

const memories = {
  table: 'memories',
  columns:
    columns(`id user_id namespace is_public kind content cue content_hash external_id unique_content tags source session_id
    plan_id agent_id role is_pinned expires_at occurred_at metadata propagation created_at updated_at surface author trust
    recorded_at seq analysis terms term_count traits embedding_model embedding over_from partly_from mark
    version_at embedded_at`),
  identity: ['id'],
  // By revision, not by arrival: recall prefers the most recently changed memory if two match equally well.
  order: ['partition', 'revision'],
  unchecked:
    columns(`surface author trust recorded_at seq analysis terms term_count traits embedding_model embedding over_from
    partly_from mark version_at embedded_at`),
  omitted: { revision: 'a new revision makes caches read the memory; records are in the order of their revisions' },
};

const versions = {
  table: 'memory_versions',
  columns:
    columns(`id user_id namespace is_public revision began_at ended_at kind content cue content_hash external_id unique_content tags
    source session_id plan_id agent_id role is_pinned expires_at occurred_at metadata propagation created_at updated_at surface
    author trust recorded_at analysis terms term_count traits embedding_model embedding embedded_at`),
  identity: ['id', 'revision'],
};

/**
 * In restore order. Records on which a server would continue to work come last, when everything they need is in place.
 */
export const archiveTables: readonly ArchiveTable[] = [
  { name: 'tenant', of: 'tenant', table: 'tenants', columns: columns('language also_redacted'), identity: [] },
  {
    name: 'schema',
    of: 'tenant',
    table: 'schemas',
    columns: columns('schema_id version schema migration hash created_at'),
    identity: ['schema_id', 'version'],
    nullable: ['schema'],
  },
  {
    name: 'profile',
    of: 'tenant',
    table: 'profiles',
    columns: columns('profile_id profile etag created_at updated_at'),
    identity: ['profile_id'],
    nullable: ['profile'],
  },
  {
    name: 'tenant_key',
    of: 'tenant',
    table: 'tenant_keys',
    columns: columns('key_id wrapped wrapped_by created_at'),
    identity: ['key_id'],
    ofUser: 'true',
    unchecked: ['wrapped', 'wrapped_by'],
  },
  {
    name: 'namespace',
    of: 'tenant',
    table: 'namespaces',
    columns: columns('name kind expires_at metadata created_at'),
    identity: ['name'],
    ofUser: `EXISTS (SELECT 1 FROM memhall.memories AS m
      WHERE m.tenant_id = t.tenant_id AND m.partition = 'n:' || t.name AND m.user_id = $2)`,
  },
  {
    name: 'plugin_namespace',
    of: 'tenant',
    table: 'plugin_namespaces',
    columns: columns('name first_used_at'),
    identity: ['name'],
    unchecked: ['first_used_at'],
  },
  {
    name: 'attribute',
    of: 'tenant',
    table: 'attributes',
    columns: columns('name_key name single ends_alone synonyms synonym_keys patterns created_at updated_at'),
    identity: ['name_key'],
  },
  {
    name: 'retention_ceiling',
    of: 'tenant',
    table: 'retention_ceilings',
    columns: columns('snapshots_days events_days audit_days resources_days updated_at'),
    identity: [],
  },
  {
    name: 'legal_hold',
    of: 'tenant',
    table: 'legal_holds',
    columns: columns('name user_ids reason created_at updated_at'),
    identity: ['name'],
  },
  {
    name: 'token_revocation',
    of: 'tenant',
    table: 'token_revocations',
    columns: columns('id kind subject issued_before expires_at created_at updated_at undone_at'),
    identity: ['id'],
    ofUser: `kind = 'user' AND subject = $2`,
  },
  {
    name: 'receipt',
    of: 'tenant',
    table: 'receipts',
    columns: columns('id user_id started_at finished_at counts hash effective_at'),
    identity: ['id'],
    ofUser: 'user_id = $2',
    nullable: ['counts'],
  },
  {
    name: 'audit_log',
    of: 'tenant',
    table: 'audit_logs',
    columns: columns('log_id created_at'),
    identity: ['log_id'],
    omitted: { is_open: 'a restored log is not continued: the database that it comes from may still do that' },
  },
  {
    name: 'audit_log_head',
    of: 'tenant',
    table: 'audit_log_heads',
    columns: columns('log_id size root at key signature'),
    identity: ['log_id', 'size'],
    omitted: { witnessed_at: 'says what the witness of this database has' },
  },
  {
    name: 'audit_log_leaf',
    of: 'tenant',
    table: 'audit_log_leaves',
    columns: columns('log_id position chain_id seq hash nodes'),
    identity: ['log_id', 'position'],
  },
  {
    name: 'text_elsewhere',
    of: 'tenant',
    table: 'artifacts',
    columns: columns('user_id kind folder name version body created_at updated_at'),
    identity: ['user_id', 'folder', 'name'],
    condition: `kind = 'document' AND folder = 'provider'`,
    ofUser: `user_id <> $2 AND ((body -> 'content' -> 'writers')::jsonb ? $2
      OR right(name, length('/peers/' || $2 || '.md')) = '/peers/' || memhall.peer_key($2) || '.md')`,
    isForReading: true,
  },
  { ...memories, name: 'shared_memory', of: 'tenant', condition: `partition < 'u:'`, ofUser: 'user_id = $2' },
  { ...versions, name: 'shared_memory_version', of: 'tenant', condition: `partition < 'u:'`, ofUser: 'user_id = $2' },
  { name: 'audit_cut', of: 'user', table: 'audit_cuts', columns: columns('user_id seq hash'), identity: [] },
  { name: 'audit_head', of: 'user', table: 'audit_heads', columns: columns('user_id seq hash'), identity: [] },
  {
    name: 'audit_record',
    of: 'user',
    table: 'audit_records',
    columns: columns('user_id seq record hash'),
    identity: ['seq'],
  },
  {
    name: 'audit_log_chain',
    of: 'user',
    table: 'audit_log_chains',
    columns: columns('user_id log_id chain_id created_at'),
    identity: ['log_id'],
    omitted: { seq: 'says how far this database has continued the log' },
  },
  {
    name: 'artifact',
    of: 'user',
    table: 'artifacts',
    columns: columns('user_id kind folder name version etag body size_chars occurred_at created_at updated_at'),
    identity: ['kind', 'folder', 'name'],
    nullable: ['body'],
    omitted: {
      outer_tag: 'refers to the outer store, which is not part of the archive',
      followed_etag: 'says that everything derived from a document is stored; a job checks that again after an import',
    },
  },
  {
    name: 'document_checkpoint',
    of: 'user',
    table: 'document_checkpoints',
    columns: columns('user_id folder name version etag body at is_beginning'),
    identity: ['folder', 'name', 'version'],
    nullable: ['body'],
  },
  {
    name: 'quarantined_text',
    of: 'user',
    table: 'quarantine',
    columns: columns(`user_id quarantine_id folder name content_hash content category rule status origin_updated_by
      origin_version origin_etag created_at updated_at`),
    identity: ['quarantine_id'],
  },
  {
    name: 'idempotency_key',
    of: 'user',
    table: 'idempotency_keys',
    columns: columns('user_id key payload_hash result created_at'),
    identity: ['key'],
    nullable: ['result'],
  },
  {
    name: 'user_key',
    of: 'user',
    table: 'user_keys',
    columns: columns('user_id key_hash created_at updated_at'),
    identity: [],
  },
  {
    name: 'user_settings',
    of: 'user',
    table: 'user_settings',
    columns: columns('user_id time_zone created_at updated_at'),
    identity: [],
  },
  {
    name: 'resource',
    of: 'user',
    table: 'resources',
    columns:
      columns(`user_id resource_id app_id project_id file_name title description media_type size_bytes content_hash status
      reason chunks created_at`),
    identity: ['resource_id'],
  },
  {
    name: 'resource_piece',
    of: 'user',
    table: 'resource_pieces',
    columns: columns('user_id resource_id number bytes'),
    identity: ['resource_id', 'number'],
  },
  { ...memories, name: 'memory', of: 'user', condition: `partition = 'u:' || $2` },
  { ...versions, name: 'memory_version', of: 'user', condition: `partition = 'u:' || $2` },
  {
    name: 'fact',
    of: 'user',
    table: 'facts',
    columns: columns('user_id fact_id subject subject_key attribute attribute_key value value_key text recorded_at'),
    identity: ['fact_id'],
  },
  {
    name: 'fact_state',
    of: 'user',
    table: 'fact_states',
    columns: columns(`user_id seq fact_id at change reason note cause undoes standing valid_from ends_at valid_to
      superseded_by trust confidence replaces is_stated is_disputed memory_id
      is_undated asserted_at`),
    identity: ['fact_id', 'seq'],
  },
  {
    name: 'fact_evidence',
    of: 'user',
    table: 'fact_evidence',
    columns: columns('user_id fact_id memory_id at statements partition'),
    identity: ['fact_id', 'memory_id'],
  },
  {
    name: 'subject_name',
    of: 'user',
    table: 'subject_names',
    columns: columns('user_id seq name_key name parent_key subject_key subject change at trust undoes'),
    identity: ['name_key', 'seq'],
  },
  {
    name: 'fact_place',
    of: 'user',
    table: 'fact_places',
    columns: columns('user_id subject_key attribute_key namespace path due_at changes created_at'),
    identity: ['subject_key', 'attribute_key', 'namespace', 'path'],
  },
  {
    name: 'working_value',
    of: 'user',
    table: 'working_values',
    columns: columns('user_id plan_id key value etag created_at updated_at expires_at'),
    identity: ['plan_id', 'key'],
    nullable: ['value'],
  },
  {
    name: 'task_context',
    of: 'user',
    table: 'task_contexts',
    columns:
      columns(`user_id task_id plan_id event_type response_event response_topic data sub_tasks state etag created_at
      updated_at lease_id lease_expires_at lease_sub_tasks`),
    identity: ['task_id'],
    nullable: ['data', 'state'],
  },
  {
    name: 'task_sub_task',
    of: 'user',
    table: 'task_sub_tasks',
    columns: columns('user_id sub_task_id task_id'),
    identity: ['sub_task_id', 'task_id'],
  },
  {
    name: 'plan',
    of: 'user',
    table: 'plans',
    columns:
      columns(`user_id plan_id goal_event goal_data status state current_state response_event correlation_ids session_id
      parent_plan_id etag created_at updated_at finished_at`),
    identity: ['plan_id'],
    nullable: ['goal_data', 'state'],
  },
  {
    name: 'plan_correlation',
    of: 'user',
    table: 'plan_correlations',
    columns: columns('user_id correlation_id plan_id'),
    identity: ['correlation_id', 'plan_id'],
  },
  {
    name: 'session',
    of: 'user',
    table: 'sessions',
    columns: columns('user_id session_id agent_id name metadata etag created_at last_interaction'),
    identity: ['session_id'],
    nullable: ['metadata'],
  },
  {
    name: 'unrecorded_session',
    of: 'user',
    table: 'unrecorded_sessions',
    columns: columns('user_id session_id started_at until'),
    identity: ['session_id'],
  },
  {
    name: 'unresolved_patch',
    of: 'user',
    table: 'unresolved_patches',
    columns:
      columns(`user_id patch_id replay_id profile_id binding_id namespace path base_version ops confidence evidence
      idempotency_key status attempts problem_code problem next_attempt_at created_at updated_at`),
    identity: ['patch_id'],
    nullable: ['ops', 'evidence'],
  },
  {
    name: 'episode',
    of: 'user',
    table: 'episodes',
    columns: columns(`user_id event_id session_id app_id project_id last_seq status attempts created_at updated_at`),
    identity: ['event_id'],
  },
  {
    name: 'replay',
    of: 'user',
    table: 'replays',
    columns:
      columns(`user_id replay_id conversation_id snapshot_id profile_id status attempts outcome error created_at updated_at
      finished_at`),
    identity: ['replay_id'],
  },
];

/** Tables that archives leave out, with the reason why nothing is lost. */
export const tablesWithoutArchive: Readonly<Record<string, string>> = {
  large_partitions: 'rebuilt in the background once a partition is large',
  memory_pages: 'what recall ranks by, collected again in the background',
  memory_postings: 'index of large partitions, rebuilt in the background',
  memory_terms: 'index of large partitions, rebuilt in the background',
  changes: 'tells readers what changed here; they follow another server from its beginning',
  webhooks: 'an imported tenant must not begin to send to the endpoints of another server; define them again',
  webhook_events: 'describes what the endpoints of this server have to learn',
  webhook_deliveries: 'describes what the endpoints of this server learned',
  memory_removals: 'tells caches which memories were removed; restored rows are new to every cache',
  migrations: 'describes this database',
  outer_heads: 'describes how far this database agrees with a blob store',
  unindexed_events: 'describes how far an outer search index is behind this database',
  fact_readings: 'describes how far this database has learned facts from memories of older versions',
  reverted_rows: 'was removed by an administrator; only the undo of that ends with an import',
  quota_counts: 'counts the requests of a minute',
  outer_store: 'names the blob store this database is derived from',
};

function columns(names: string): string[] {
  return names.split(/\s+/);
}
