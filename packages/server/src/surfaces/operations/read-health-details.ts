import type { EmbedderDescription } from '../../ports/embedder.js';
import type { JobBacklog } from '../../ports/job-ledger.js';
import type { StoreStatus } from '../../ports/store.js';
import type { AuditLogHealth, Operations } from './operations.js';

/** Reads what only operators see of the health. Returns undefined if the store does not respond. */
export async function readHealthDetails(operations: Operations) {
  try {
    const [status, jobs, index, auditLog, indexing] = await Promise.all([
      operations.status(),
      operations.jobs(),
      operations.eventIndex(),
      operations.auditLog(),
      operations.indexing(),
    ]);
    const plugin = operations.memoryPlugin();
    const reranker = operations.reranker();
    return {
      version: operations.version,
      database: toDatabase(status),
      ...toRecall(operations.embedder()),
      ...(reranker === undefined ? {} : { reranker }),
      ...(plugin === undefined ? {} : { memory_plugin: plugin }),
      ...(index === undefined ? {} : { event_index: { ...index } }),
      indexing: toIndexing(indexing),
      token_revocations: toRevocations(operations.tokenRevocations()),
      audit_log: toAuditLog(auditLog),
      jobs: toJobs(jobs),
    };
  } catch {
    return undefined;
  }
}

function toDatabase(status: StoreStatus) {
  return {
    kind: status.kind,
    server_version: status.serverVersion,
    vector_version: status.vectorVersion,
    schema_version: status.schemaVersion,
    size_bytes: status.sizeBytes,
  };
}

function toRecall(embedder: EmbedderDescription | null) {
  const embeds = embedder?.status === 'ready';
  return { embedder, capabilities: [...(embeds ? ['embedding'] : []), 'fts', 'ttl', 'pin', 'propagation'] };
}

function toRevocations({ entries, ageSeconds, isStale }: ReturnType<Operations['tokenRevocations']>) {
  return { status: isStale ? 'stale' : 'ok', entries, age_seconds: Math.round(ageSeconds * 1000) / 1000 };
}

function toIndexing({ count, oldest }: Awaited<ReturnType<Operations['indexing']>>) {
  return { waiting: count, lag_seconds: oldest === null ? 0 : (Date.now() - oldest.getTime()) / 1000 };
}

function toAuditLog({ unsignedRecords, witness, waitingHeads, waitingSince }: AuditLogHealth) {
  const waitingMs = waitingSince === null ? 0 : Date.now() - waitingSince.getTime();
  return {
    unsigned_records: unsignedRecords,
    witness,
    waiting_heads: waitingHeads,
    waiting_seconds: Math.round(waitingMs) / 1000,
  };
}

function toJobs(backlog: readonly JobBacklog[]) {
  return backlog.map(({ job, waiting, oldestSeconds, deadLetters }) => ({
    name: job,
    waiting,
    backlog_seconds: Math.round(oldestSeconds * 1000) / 1000,
    dead_letters: deadLetters,
  }));
}
