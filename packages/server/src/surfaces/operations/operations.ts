import type { PluginState } from '../../engine/host/describe-plugin.js';
import type { LatencyFinding } from '../../engine/operations/explain-latency.js';
import type { TenantCounts } from '../../engine/operations/list-tenants-with-counts.js';
import type { Operator } from '../../engine/operations/retry-jobs.js';
import type { Page } from '../../engine/page.js';
import type { RecentLatency } from '../../http/latency-window.js';
import type { EmbedderDescription } from '../../ports/embedder.js';
import type { JobBacklog, JobLedger } from '../../ports/job-ledger.js';
import type { RerankerDescription } from '../../ports/reranker.js';
import type { SigningState } from '../../ports/signed-log.js';
import type { StoreStatus } from '../../ports/store.js';

/** The state of a running process that the operations surface shows. */
export interface Operations {
  version: string;
  /** Rejects if the store does not respond in time. */
  ping(): Promise<void>;
  status(): Promise<StoreStatus>;
  /** Returns null if recall matches words only. */
  embedder(): EmbedderDescription | null;
  /** Returns undefined if none is configured. */
  reranker(): RerankerDescription | undefined;
  /** The memories that wait for their vector or word forms. */
  indexing(): Promise<{ count: number; oldest: Date | null }>;
  /** Returns undefined if the built-in plugin is in use. */
  memoryPlugin(): (PluginState & { circuit: 'closed' | 'open' | 'half-open' }) | undefined;
  /** Returns undefined if events are found by recall alone. */
  eventIndex(): Promise<EventIndexState | undefined>;
  tokenRevocations(): { entries: number; ageSeconds: number; isStale: boolean };
  auditLog(): Promise<AuditLogHealth>;
  jobs(): Promise<JobBacklog[]>;
  listJobs: JobLedger['list'];
  /** Returns how many dead letters run again. */
  retryJobs(operator: Operator, ids: readonly string[] | 'all'): Promise<number>;
  listTenants(page: { limit: number; cursor?: string | undefined }): Promise<Page<TenantCounts>>;
  quotas(): readonly QuotaState[];
  latency(): LatencyState;
  /** Returns whether new requests are refused because there is too much to do. */
  isShedding(): boolean;
  /** True while the server waits for load balancers to notice that it is about to stop. */
  isDraining(): boolean;
  metrics(): Promise<{ contentType: string; text: string }>;
  openapi(): Promise<unknown>;
  pluginOpenapi(): Promise<unknown>;
  docsPage(): string;
  pluginDocsPage(): string;
  docsScript(): Promise<string>;
}

interface QuotaState {
  scope: string;
  /** null: no limit. */
  perMinute: number | null;
  /** Since the process started. */
  refused: number;
}

/** How long requests took in the last hour, as this process measured it. */
export interface LatencyState {
  objectives: readonly { operation: string; p95Ms: number }[];
  requests: ReadonlyMap<string, RecentLatency>;
  stages: ReadonlyMap<string, RecentLatency>;
  stalls: readonly { operation: string; delayMs: number; at: Date }[];
  findings: readonly LatencyFinding[];
}

interface EventIndexState {
  address: string;
  status: 'ok' | 'down';
  /** Number of events that wait for it. */
  waiting: number;
}

export interface AuditLogHealth extends SigningState {
  /** Address of the witness; null if none is configured. */
  witness: string | null;
}
