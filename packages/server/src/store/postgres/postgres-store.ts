import { performance } from 'node:perf_hooks';
import { Problem } from '@memhall/core';
import type { ClientBase } from 'pg';
import type { ArchiveType } from '../../ports/archive.js';
import type { AuditHead } from '../../ports/audit-log.js';
import type { LargePartition, VectorIndex } from '../../ports/large-partitions.js';
import { noOperation } from '../../ports/loop-marks.js';
import type { SigningState } from '../../ports/signed-log.js';
import type { Scope, Store, StoreStatus, Tables, TenantReader } from '../../ports/store.js';
import type { TokenRevocation } from '../../ports/token-revocations.js';
import type { WebhookState } from '../../ports/webhooks.js';
import type { Database, TransactionScope } from '../database.js';
import { takeLocks } from '../locks.js';
import type { Statements } from '../statements.js';
import { toProblem, unreachable } from '../to-problem.js';
import { arrangeVectorIndexes } from '../vector-indexes.js';
import { archiveTables } from './archive-tables.js';
import { buildLazily } from './build-lazily.js';
import { largePartitionSearch } from './large-partition-search.js';
import {
  type LargePartitionRow,
  largePartitionColumns,
  largePartitionUpkeep,
  toLargePartition,
} from './large-partition-upkeep.js';
import { postgresArchive } from './postgres-archive.js';
import { postgresArtifacts } from './postgres-artifacts.js';
import { postgresAttributes } from './postgres-attributes.js';
import { fromHeadRow, type HeadRow, postgresAuditLog, selectHeads } from './postgres-audit-log.js';
import { postgresChanges } from './postgres-changes.js';
import { postgresConversations } from './postgres-conversations.js';
import { postgresDocumentCheckpoints } from './postgres-document-checkpoints.js';
import { postgresEpisodes } from './postgres-episodes.js';
import { postgresErasure } from './postgres-erasure.js';
import { postgresFactPlaces } from './postgres-fact-places.js';
import { postgresFactReadings } from './postgres-fact-readings.js';
import { postgresFacts } from './postgres-facts.js';
import { postgresIdempotencyKeys } from './postgres-idempotency-keys.js';
import { postgresLegalHolds } from './postgres-legal-holds.js';
import { postgresMemories } from './postgres-memories.js';
import { postgresMemoryIndex } from './postgres-memory-index.js';
import { postgresNamespaces } from './postgres-namespaces.js';
import { postgresOuterHeads } from './postgres-outer-heads.js';
import { postgresPlans } from './postgres-plans.js';
import { postgresPluginNamespaces } from './postgres-plugin-namespaces.js';
import { postgresQuarantine } from './postgres-quarantine.js';
import { postgresQuotaCounts } from './postgres-quota-counts.js';
import { postgresReceipts } from './postgres-receipts.js';
import { postgresRegistry } from './postgres-registry.js';
import { postgresReplays } from './postgres-replays.js';
import { postgresResources } from './postgres-resources.js';
import { postgresRetention } from './postgres-retention.js';
import { postgresSessions } from './postgres-sessions.js';
import { postgresSignedLog } from './postgres-signed-log.js';
import { postgresSourceReverts } from './postgres-source-reverts.js';
import { postgresSubjects } from './postgres-subjects.js';
import { postgresTaskContexts } from './postgres-task-contexts.js';
import { postgresTenantKeys } from './postgres-tenant-keys.js';
import { PostgresTenantReader } from './postgres-tenant-reader.js';
import { postgresTenants } from './postgres-tenants.js';
import {
  fromRevocationRow,
  postgresTokenRevocations,
  type RevocationRow,
  selectRevocations,
} from './postgres-token-revocations.js';
import { postgresUnindexedEvents } from './postgres-unindexed-events.js';
import { postgresUnrecordedSessions } from './postgres-unrecorded-sessions.js';
import { postgresUnresolvedPatches } from './postgres-unresolved-patches.js';
import { postgresUserKeys } from './postgres-user-keys.js';
import { postgresUserSettings } from './postgres-user-settings.js';
import { postgresWebhooks, readWebhookState } from './postgres-webhooks.js';
import { postgresWorkingValues } from './postgres-working-values.js';
import { readSigningState, readUnsignedTenants, readWaitingTenants } from './signing-state.js';

const tablesOf = buildLazily<Tables, [Statements, TransactionScope]>({
  workingValues: postgresWorkingValues,
  taskContexts: postgresTaskContexts,
  plans: postgresPlans,
  sessions: postgresSessions,
  unrecordedSessions: postgresUnrecordedSessions,
  memories: postgresMemories,
  facts: postgresFacts,
  factReadings: postgresFactReadings,
  factPlaces: postgresFactPlaces,
  subjects: postgresSubjects,
  sourceReverts: postgresSourceReverts,
  attributes: postgresAttributes,
  memoryIndex: postgresMemoryIndex,
  largePartitions: (statements, scope) => ({
    ...largePartitionSearch(statements, scope),
    ...largePartitionUpkeep(statements, scope),
  }),
  namespaces: postgresNamespaces,
  pluginNamespaces: postgresPluginNamespaces,
  tenants: postgresTenants,
  registry: postgresRegistry,
  artifacts: postgresArtifacts,
  documentCheckpoints: postgresDocumentCheckpoints,
  idempotencyKeys: postgresIdempotencyKeys,
  tenantKeys: postgresTenantKeys,
  conversations: postgresConversations,
  replays: postgresReplays,
  unresolvedPatches: postgresUnresolvedPatches,
  quarantine: postgresQuarantine,
  userKeys: postgresUserKeys,
  userSettings: postgresUserSettings,
  episodes: postgresEpisodes,
  resources: postgresResources,
  audit: postgresAuditLog,
  changes: postgresChanges,
  signedLog: postgresSignedLog,
  archive: postgresArchive,
  outerHeads: postgresOuterHeads,
  unindexedEvents: postgresUnindexedEvents,
  tokenRevocations: postgresTokenRevocations,
  webhooks: postgresWebhooks,
  quotaCounts: postgresQuotaCounts,
  flushed: (statements) => () => statements.flushed(),
  legalHolds: postgresLegalHolds,
  retention: postgresRetention,
  erasure: postgresErasure,
  receipts: postgresReceipts,
});

/** Scope for reads across tenants; they return no content. */
const allTenants = operatorScope('');

/** The embedded database has no autovacuum. This analyzes a small sample while all other transactions wait. */
const countRows = 'BEGIN; SET LOCAL default_statistics_target = 10; ANALYZE; COMMIT';
/** Analyze again once all tables together have grown by this factor. */
const countAgain = 1.25;

export class PostgresStore implements Store {
  readonly isRebuiltFromAudit = false;
  readonly archiveTypes: readonly ArchiveType[] = archiveTables;
  readonly #database: Database;
  /** Size of the tables when they were last analyzed. */
  #countedBytes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  read<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    const own = requestScope(scope);
    return this.#database.read(own, (statements) => work(tablesOf(statements, own)));
  }

  write<T>(scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
    const own = requestScope(scope);
    return this.#database.write(own, (statements) => work(tablesOf(statements, own)));
  }

  inspect<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    const whole = operatorScope(tenantId);
    return this.#database.read(whole, (statements) => work(tablesOf(statements, whole)));
  }

  administer<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    const whole = operatorScope(tenantId);
    return this.#database.write(whole, (statements) => work(tablesOf(statements, whole)));
  }

  count<T>(tenantId: string, work: (tables: Tables) => Promise<T>): Promise<T> {
    const whole = operatorScope(tenantId);
    return this.#database.count(whole, (statements) => work(tablesOf(statements, whole)));
  }

  erase<T>({ tenantId, userId }: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    const scope: TransactionScope = { ...operatorScope(tenantId), role: 'memhall_eraser', userId: userId ?? '' };
    return this.#database.write(scope, (statements) => {
      statements.set({ statement_timeout: '0' });
      takeLocks(statements, 'signing', [tenantId], { isShared: true });
      return work(tablesOf(statements, scope));
    });
  }

  openReader(tenantId: string): TenantReader {
    const whole = operatorScope(tenantId);
    return new PostgresTenantReader(this.#database, whole, (statements) => tablesOf(statements, whole));
  }

  restore<T>(scope: Pick<Scope, 'tenantId' | 'userId'>, work: (tables: Tables) => Promise<T>): Promise<T> {
    const own: TransactionScope = { ...requestScope(scope), role: 'memhall_importer' };
    return this.#database.write(own, (statements) => work(tablesOf(statements, own)));
  }

  changeCounter(): Promise<bigint> {
    return this.#database.read(allTenants, async (statements) => {
      const [row] = await statements.query<{ last_value: string }>(
        'SELECT last_value FROM memhall.change_position',
        [],
      );
      return BigInt(row?.last_value ?? 0);
    });
  }

  async users(tenantId: string): Promise<string[]> {
    return (await this.auditHeads(tenantId)).flatMap(({ userId }) => (userId === '' ? [] : [userId]));
  }

  userOfKey(keyHash: Buffer): Promise<{ tenantId: string; userId: string } | undefined> {
    return this.#database.read(requestScope({ tenantId: '', userId: null }), async (statements) => {
      const rows = await statements.query<{ tenant_id: string; user_id: string }>(
        'SELECT tenant_id, user_id FROM memhall.user_of_key($1)',
        [keyHash],
      );
      return rows[0] && { tenantId: rows[0].tenant_id, userId: rows[0].user_id };
    });
  }

  tokenRevocations(since: Date | null): Promise<{ tenantId: string; revocation: TokenRevocation }[]> {
    const [condition, values] = since === null ? ['undone_at IS NULL', []] : ['updated_at >= $1', [since]];
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<RevocationRow>(`${selectRevocations} WHERE ${condition}`, values);
      return rows.map((row) => ({ tenantId: row.tenant_id, revocation: fromRevocationRow(row) }));
    });
  }

  auditHeads(tenantId?: string): Promise<AuditHead[]> {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<HeadRow>(
        `${selectHeads} WHERE $1::text IS NULL OR tenant_id = $1 ORDER BY tenant_id, user_id`,
        [tenantId ?? null],
      );
      return rows.map(fromHeadRow);
    });
  }

  tenantHeads({ after, limit }: { after: string; limit: number }) {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<{ tenant_id: string; owners: number; changes: string }>(
        `SELECT tenant_id, (count(*) FILTER (WHERE user_id <> ''))::int AS owners, sum(seq) AS changes
         FROM memhall.audit_heads WHERE tenant_id > $1 GROUP BY tenant_id ORDER BY tenant_id LIMIT $2`,
        [after, limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, owners: row.owners, changes: Number(row.changes) }));
    });
  }

  loggedTenants(): Promise<string[]> {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<{ tenant_id: string }>(
        'SELECT DISTINCT tenant_id FROM memhall.audit_logs ORDER BY tenant_id',
      );
      return rows.map(({ tenant_id }) => tenant_id);
    });
  }

  unsignedTenants(): Promise<{ tenantId: string; signedAt: Date | null }[]> {
    return this.#database.read(allTenants, readUnsignedTenants);
  }

  waitingTenants(): Promise<string[]> {
    return this.#database.read(allTenants, readWaitingTenants);
  }

  webhookState(now: Date): Promise<WebhookState> {
    return this.#database.read(allTenants, (statements) => readWebhookState(statements, now));
  }

  signingState(): Promise<SigningState> {
    return this.#database.read(allTenants, readSigningState);
  }

  largePartitions(): Promise<LargePartition[]> {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<LargePartitionRow>(
        `SELECT ${largePartitionColumns} FROM memhall.large_partitions ORDER BY tenant_id, partition`,
      );
      return rows.map(toLargePartition);
    });
  }

  async arrangeVectorIndexes(wanted: readonly VectorIndex[], signal?: AbortSignal): Promise<void> {
    const { kind, sessions } = this.#database;
    if (kind === 'embedded' || sessions === null) return;
    try {
      await arrangeVectorIndexes(sessions, wanted, signal);
    } catch (error) {
      throw toProblem(error);
    }
  }

  uncopiedChains(limit: number): Promise<{ tenantId: string; userId: string }[]> {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<{ tenant_id: string; user_id: string }>(
        `SELECT tenant_id, user_id FROM memhall.audit_heads
         LEFT JOIN memhall.outer_heads USING (tenant_id, user_id)
         WHERE audit_heads.seq > coalesce(outer_heads.audit_seq, 0) LIMIT $1`,
        [limit],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, userId: row.user_id }));
    });
  }

  artifactOrigin(): Promise<string | null> {
    return this.#database.read(allTenants, readOrigin);
  }

  setArtifactOrigin(storeId: string): Promise<void> {
    return this.#database.write(allTenants, async (statements) => {
      statements.enqueue('INSERT INTO memhall.outer_store (store_id) VALUES ($1) ON CONFLICT DO NOTHING', [storeId]);
      if ((await readOrigin(statements)) === storeId) return;
      throw new Problem('CONFLICT', 'The artifacts of this database are derived from another store.');
    });
  }

  workspacesMoved(): Promise<boolean> {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query('SELECT 1 FROM memhall.outer_store WHERE workspaces_moved');
      return rows.length > 0;
    });
  }

  setWorkspacesMoved(): Promise<void> {
    return this.#database.write(allTenants, async (statements) => {
      statements.enqueue('UPDATE memhall.outer_store SET workspaces_moved = true');
    });
  }

  masterKeysInUse(): Promise<{ tenantId: string; wrappedBy: string }[]> {
    return this.#database.read(allTenants, async (statements) => {
      const rows = await statements.query<{ tenant_id: string; wrapped_by: string }>(
        'SELECT DISTINCT tenant_id, wrapped_by FROM memhall.tenant_keys ORDER BY tenant_id, wrapped_by',
      );
      return rows.map(({ tenant_id, wrapped_by }) => ({ tenantId: tenant_id, wrappedBy: wrapped_by }));
    });
  }

  async refreshStatistics(): Promise<void> {
    if (this.#database.kind === 'postgres') return;
    try {
      const { rows } = await this.#database.pool.query<{ bytes: string }>(
        `SELECT sum(pg_relation_size(oid)) AS bytes FROM pg_class
         WHERE relnamespace = 'memhall'::regnamespace AND relkind = 'r'`,
      );
      const bytes = Number(rows[0]?.bytes ?? 0);
      if (bytes < this.#countedBytes * countAgain) return;
      await this.#database.pool.query(countRows);
      this.#countedBytes = Math.max(bytes, 1);
    } catch (error) {
      throw toProblem(error);
    }
  }

  async status(): Promise<StoreStatus> {
    try {
      const { rows } = await this.#database.pool.query<{
        server: string;
        vector: string;
        schema: number;
        size: string;
      }>(
        `SELECT current_setting('server_version') AS server,
                (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
                (SELECT max(version) FROM memhall.migrations) AS schema,
                pg_database_size(current_database()) AS size`,
      );
      const row = rows[0];
      if (row === undefined) throw new Error('no status');
      return {
        kind: this.#database.kind,
        serverVersion: row.server,
        vectorVersion: row.vector,
        schemaVersion: row.schema,
        sizeBytes: Number(row.size),
      };
    } catch (error) {
      throw unreachable(error);
    }
  }

  async ping(): Promise<void> {
    try {
      await this.#database.pool.query('SELECT 1');
    } catch (error) {
      throw unreachable(error);
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Reads like `read`, unless the connection turns out not to be ready; then returns undefined. */
export function readWhen<T>(
  database: Database,
  scope: Scope,
  isReady: (client: ClientBase) => Promise<boolean>,
  work: (tables: Tables) => Promise<T>,
): Promise<{ result: T } | undefined> {
  const own = requestScope(scope);
  return database.readWhen(own, isReady, (statements) => work(tablesOf(statements, own)));
}

async function readOrigin(statements: Statements): Promise<string | null> {
  const rows = await statements.query<{ store_id: string }>('SELECT store_id FROM memhall.outer_store');
  return rows[0]?.store_id ?? null;
}

function requestScope(scope: Scope): TransactionScope {
  const { tenantId, userId, workspaceId = '', noteOwners = [], namespaces = [], writableNamespaces = [] } = scope;
  const { since = performance.now(), operation = noOperation } = scope;
  const own = { tenantId, userId: userId ?? '', workspaceId, noteOwners, namespaces, writableNamespaces };
  return { role: 'memhall_app', ...own, since, operation };
}

function operatorScope(tenantId: string): TransactionScope {
  return { ...requestScope({ tenantId, userId: null }), role: 'memhall_worker' };
}
