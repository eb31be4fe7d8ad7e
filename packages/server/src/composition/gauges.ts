import { inspectSigning } from '../engine/audit/inspect-signing.js';
import { countUnresolved } from '../engine/conversations/unresolved-queue.js';
import { totalUnread } from '../engine/document-facts/learn-stored.js';
import { totalDocumentBacklog } from '../engine/documents/catch-up-documents.js';
import type { Engine } from '../engine/engine.js';
import { eventIndexBacklog } from '../engine/events/index-events.js';
import { totalOriginBacklog } from '../engine/memories/fill-origins.js';
import { totalBacklog } from '../engine/memories/refresh-forms.js';
import { within } from '../engine/within.js';
import type { Metrics } from '../http/metrics.js';
import type { ReplicaStore } from '../outer/replica-store.js';
import type { JobBacklog, JobLedger } from '../ports/job-ledger.js';
import type { HttpMemoryPlugin } from '../providers/memory-plugins/http-memory-plugin.js';
import type { Database } from '../store/database.js';

export function addGauges(metrics: Metrics, engine: Engine, database: Database): void {
  const { pool } = database;
  metrics.gauge('memhall_pool_connections', 'Open database connections.', () => pool.totalCount);
  metrics.gauge('memhall_pool_idle_connections', 'Idle database connections.', () => pool.idleCount);
  metrics.gauge(
    'memhall_pool_waiting_requests',
    'Requests waiting for a database connection.',
    () => pool.waitingCount,
  );
  metrics.gauge(
    'memhall_store_size_bytes',
    'Size of the database.',
    async () => (await within(engine.store.status())).sizeBytes,
  );
  const backlog = cachedFor(15_000, () => totalBacklog(engine));
  metrics.gauge(
    'memhall_memories_outdated',
    'Memories that wait for their vector or word forms to be computed.',
    async () => (await backlog()).count,
  );
  metrics.gauge(
    'memhall_indexing_lag_seconds',
    'How long the oldest memory has waited for its vector or word forms.',
    async () => {
      const { oldest } = await backlog();
      return oldest === null ? 0 : (Date.now() - oldest.getTime()) / 1000;
    },
  );
  metrics.gauge(
    'memhall_memories_without_origin',
    'Memories of an older version whose origin is not stored yet.',
    cachedFor(15_000, () => totalOriginBacklog(engine)),
  );
  metrics.gauge(
    'memhall_memories_unread',
    'Memories of an older version that are still to be read for facts.',
    cachedFor(15_000, () => totalUnread(engine)),
  );
  metrics.gauge(
    'memhall_documents_waiting',
    'Documents whose latest version recall does not know yet.',
    cachedFor(15_000, () => totalDocumentBacklog(engine)),
  );
  addEventIndexGauges(metrics, engine);
  metrics.gaugeBy(
    'status',
    'memhall_unresolved_patches',
    'Patches that replays could not apply, by status: waiting (retried automatically) or review (needs a decision).',
    cachedFor(15_000, () => countUnresolved(engine)),
  );
  metrics.gauge(
    'memhall_token_revocations_age_seconds',
    'How long ago the revoked tokens were last read.',
    () => engine.revokedTokens.state().ageSeconds,
  );
  metrics.gauge('memhall_recall_cache_bytes', 'Memory used by the recall cache.', () => engine.segments.bytes);
}

export function addStandbyGauge(metrics: Metrics, { reads }: ReplicaStore): void {
  metrics.gaugeBy(
    'server',
    'memhall_shown_reads',
    'Reads that a standby may serve, by where they went: standby, or primary if the standby was behind or failed.',
    async () => new Map(Object.entries(reads)),
  );
}

function addEventIndexGauges(metrics: Metrics, engine: Engine): void {
  const backlog = cachedFor(15_000, () => eventIndexBacklog(engine));
  metrics.gauge(
    'memhall_event_index_waiting',
    'Events that wait for the outer index.',
    async () => (await backlog()).count,
  );
  metrics.gauge(
    'memhall_event_index_lag_seconds',
    'How long the oldest event has waited for the outer index.',
    async () => {
      const { oldest } = await backlog();
      return oldest === null ? 0 : (Date.now() - oldest.getTime()) / 1000;
    },
  );
}

export function addSigningGauges(metrics: Metrics, context: Parameters<typeof inspectSigning>[0]): void {
  const state = cachedFor(15_000, () => inspectSigning(context));
  metrics.gauge(
    'memhall_audit_unsigned_records',
    'Audit records that no signed head covers yet.',
    async () => (await state()).unsignedRecords,
  );
  metrics.gauge(
    'memhall_audit_waiting_heads',
    'Signed heads that the witness lacks.',
    async () => (await state()).waitingHeads,
  );
  metrics.gauge(
    'memhall_audit_witness_lag_seconds',
    'How long the oldest signed head has waited for the witness.',
    async () => {
      const { waitingSince } = await state();
      return waitingSince === null ? 0 : (Date.now() - waitingSince.getTime()) / 1000;
    },
  );
}

export function addJobGauges(metrics: Metrics, ledger: JobLedger): void {
  const backlog = cachedFor(5000, () => ledger.backlog());
  const read = (value: (backlog: JobBacklog) => number) => async () =>
    new Map((await backlog()).map((one) => [one.job, value(one)]));
  metrics.gaugeBy(
    'job',
    'memhall_jobs_waiting',
    'Waiting jobs.',
    read(({ waiting }) => waiting),
  );
  metrics.gaugeBy(
    'job',
    'memhall_jobs_backlog_seconds',
    'How long the oldest waiting job has been due.',
    read(({ oldestSeconds }) => oldestSeconds),
  );
  metrics.gaugeBy(
    'job',
    'memhall_jobs_dead_letters',
    'Jobs that failed their last attempt. They are kept until they are retried or 30 days old.',
    read(({ deadLetters }) => deadLetters),
  );
}

export function addCircuitGauge(metrics: Metrics, plugin: HttpMemoryPlugin): void {
  metrics.gauge(
    'memhall_plugin_circuit_open',
    '1 while calls to the memory plugin are suspended because it keeps failing, otherwise 0.',
    () => (plugin.circuitState === 'closed' ? 0 : 1),
  );
}

/** Caches the result of `ask` for a while, because it may scan every tenant. A scrape waits a second for it; a later one gets it. */
function cachedFor<T>(forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let cached: { result: Promise<T>; at: number } | undefined;
  return () => {
    if (cached === undefined || Date.now() - cached.at > forMs) cached = { result: ask(), at: Date.now() };
    return within(cached.result);
  };
}
