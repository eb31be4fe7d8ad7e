import type { Engine } from '../engine/engine.js';
import { totalBacklog } from '../engine/memories/refresh-forms.js';
import { within } from '../engine/within.js';
import type { Metrics } from '../http/metrics.js';
import type { JobBacklog, JobLedger } from '../ports/job-ledger.js';
import type { HttpMemoryPlugin } from '../providers/memory-plugins/http-memory-plugin.js';
import type { Database } from '../store/database.js';

export function addGauges(metrics: Metrics, engine: Engine, database: Database): void {
  const { pool } = database;
  metrics.gauge('memhall_pool_connections', 'Open database connections.', () => pool.totalCount);
  metrics.gauge('memhall_pool_idle_connections', 'Database connections nobody uses.', () => pool.idleCount);
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
  const backlog = remembered(15_000, () => totalBacklog(engine));
  metrics.gauge(
    'memhall_memories_outdated',
    'Memories that wait for their vector, or to be analysed anew.',
    async () => (await backlog()).count,
  );
  metrics.gauge('memhall_indexing_lag_seconds', 'How long the oldest of them has waited.', async () => {
    const { oldest } = await backlog();
    return oldest === null ? 0 : (Date.now() - oldest.getTime()) / 1000;
  });
  metrics.gauge('memhall_recall_cache_bytes', 'Memory held for searching.', () => engine.segments.bytes);
}

export function addJobGauges(metrics: Metrics, ledger: JobLedger): void {
  const backlog = remembered(5000, () => within(ledger.backlog()));
  const read = (value: (backlog: JobBacklog) => number) => async () =>
    new Map((await backlog()).map((one) => [one.job, value(one)]));
  metrics.gaugeBy(
    'job',
    'memhall_jobs_waiting',
    'Jobs that wait.',
    read(({ waiting }) => waiting),
  );
  metrics.gaugeBy(
    'job',
    'memhall_jobs_backlog_seconds',
    'For how long the oldest job that waits could have been done already.',
    read(({ oldestSeconds }) => oldestSeconds),
  );
  metrics.gaugeBy(
    'job',
    'memhall_jobs_dead_letters',
    'Jobs that failed their last attempt, until retried or 30 days old.',
    read(({ deadLetters }) => deadLetters),
  );
}

export function addCircuitGauge(metrics: Metrics, plugin: HttpMemoryPlugin): void {
  metrics.gauge('memhall_plugin_circuit_open', 'Whether the memory plugin fails and is left alone: 1, or 0.', () =>
    plugin.circuitState === 'closed' ? 0 : 1,
  );
}

/** Asks again only after a while: what answers may look at every tenant. */
function remembered<T>(forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; at: number } | undefined;
  return () => {
    if (known === undefined || Date.now() - known.at > forMs) known = { answer: ask(), at: Date.now() };
    return known.answer;
  };
}
