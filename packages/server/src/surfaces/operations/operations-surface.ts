import { Type } from 'typebox';
import type { PluginState } from '../../engine/host/describe-plugin.js';
import type { LatencyFinding } from '../../engine/operations/explain-latency.js';
import type { TenantCounts } from '../../engine/operations/list-tenants-with-counts.js';
import type { Operator } from '../../engine/operations/retry-jobs.js';
import type { Page } from '../../engine/page.js';
import { docsPolicy } from '../../http/docs-page.js';
import type { RecentLatency } from '../../http/latency-window.js';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import type { EmbedderDescription } from '../../ports/embedder.js';
import type { JobBacklog, JobLedger } from '../../ports/job-ledger.js';
import type { RerankerDescription } from '../../ports/reranker.js';
import type { SigningState } from '../../ports/signed-log.js';
import type { StoreStatus } from '../../ports/store.js';
import { jobRoutes } from './job-routes.js';
import { overviewRoutes } from './overview-routes.js';

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

interface AuditLogHealth extends SigningState {
  /** Address of the witness; null if none is configured. */
  witness: string | null;
}

const Part = Type.Object({ status: Type.Enum(['ok', 'down']) });

const Health = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  api: Part,
  backend: Part,
  version: Type.Optional(Type.String({ description: 'Only with a token that has the role operator' })),
  database: Type.Optional(
    Type.Object(
      {
        kind: Type.Enum(['embedded', 'postgres']),
        server_version: Type.String(),
        vector_version: Type.String(),
        schema_version: Type.Integer(),
        size_bytes: Type.Integer(),
      },
      { description: 'Only with a token that has the role operator' },
    ),
  ),
  embedder: Type.Optional(
    Type.Union(
      [
        Type.Object({
          kind: Type.String(),
          model: Type.String(),
          dimension: Type.Integer(),
          runtime: Type.String(),
          status: Type.Enum(['ready', 'starting', 'failed'], {
            description: 'Unless it is ready, recall matches words only, and what is stored gets its vectors later',
          }),
          note: Type.Optional(Type.String()),
        }),
        Type.Null(),
      ],
      { description: 'Only with a token that has the role operator. null: recall matches words only' },
    ),
  ),
  reranker: Type.Optional(
    Type.Object(
      {
        kind: Type.String(),
        model: Type.String(),
        runtime: Type.String(),
        status: Type.Enum(['ready', 'starting', 'failed'], {
          description: 'Unless it is ready, the order of recall is as without it',
        }),
        note: Type.Optional(Type.String()),
      },
      { description: 'Only with a token that has the role operator: the model at MEMHALL_RERANKER' },
    ),
  ),
  capabilities: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Only with a token that has the role operator: the capabilities available now',
    }),
  ),
  memory_plugin: Type.Optional(
    Type.Object(
      {
        status: Type.Enum(['ok', 'degraded', 'unknown'], { description: 'unknown: it has not responded yet' }),
        capabilities: Type.Array(Type.String()),
        circuit: Type.Enum(['closed', 'open', 'half-open'], {
          description:
            'open: it keeps failing and is not called for a while. half-open: one call tries whether it works again',
        }),
        problem: Type.Optional(Type.String({ description: 'What to change so that it can be used fully' })),
      },
      {
        description:
          'Only with a token that has the role operator: the plugin at MEMORY_PLUGIN_URL, as it last reported itself',
      },
    ),
  ),
  event_index: Type.Optional(
    Type.Object(
      {
        address: Type.String(),
        status: Type.Enum(['ok', 'down'], { description: 'down: recall finds events instead' }),
        waiting: Type.Integer({ description: 'Events that it lacks' }),
      },
      { description: 'Only with a token that has the role operator: the index at MEMHALL_AZURE_SEARCH_URL' },
    ),
  ),
  indexing: Type.Optional(
    Type.Object(
      {
        waiting: Type.Integer({ description: 'Memories that wait for their vector or word forms' }),
        lag_seconds: Type.Number({ description: 'How long the oldest of them has waited' }),
      },
      { description: 'Only with a token that has the role operator' },
    ),
  ),
  token_revocations: Type.Optional(
    Type.Object(
      {
        status: Type.Enum(['ok', 'stale'], {
          description:
            'stale: what was revoked in the last seconds is not known. After a minute, tokens are rejected with 503.',
        }),
        entries: Type.Integer(),
        age_seconds: Type.Number({ description: 'When they were last read' }),
      },
      { description: 'Only with a token that has the role operator: revoked tokens, as this process knows them' },
    ),
  ),
  audit_log: Type.Optional(
    Type.Object(
      {
        unsigned_records: Type.Integer({ description: 'Audit records that no signed head covers yet' }),
        witness: Type.Union([Type.String(), Type.Null()], {
          description: 'Where signed heads are sent. null: MEMHALL_AUDIT_WITNESS is not set',
        }),
        waiting_heads: Type.Integer({ description: 'Signed heads that the witness lacks' }),
        waiting_seconds: Type.Number({ description: 'How long the oldest of them has waited' }),
      },
      { description: 'Only with a token that has the role operator: how far signing and the witness are behind' },
    ),
  ),
  jobs: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Integer(),
        backlog_seconds: Type.Number({ description: 'How long the oldest waiting job has been due' }),
        dead_letters: Type.Integer({ description: 'Jobs that failed their last attempt' }),
      }),
      { description: 'Only with a token that has the role operator: the background jobs of all processes' },
    ),
  ),
});

const Ready = Type.Object({
  ready: Type.Boolean(),
  embedder: Type.Optional(
    Type.Enum(['starting', 'failed'], { description: 'Present while recall matches words only for lack of its model' }),
  ),
});

const pageHeaders = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': docsPolicy };
const scriptHeaders = { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'max-age=3600' };

function succeeds(check: Promise<void>): Promise<boolean> {
  return check.then(
    () => true,
    () => false,
  );
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

/** Returns undefined if the store does not respond. */
async function readDetails(operations: Operations) {
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
      ...(index === undefined ? {} : { event_index: index }),
      indexing: toIndexing(indexing),
      token_revocations: toRevocations(operations.tokenRevocations()),
      audit_log: toAuditLog(auditLog),
      jobs: toJobs(jobs),
    };
  } catch {
    return undefined;
  }
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

export const operationsSurface: Surface<Operations> = {
  name: 'operations',
  title: 'Operations',
  description: 'Health, latency, jobs, tenants and metrics, without the content of any memory; and this documentation.',
  loadExamples: async () => (await import('./operations-examples.js')).operationsExamples,
  renderProblem,
  routes: [
    defineRoute({
      operation: 'health.get',
      method: 'GET',
      path: '/health',
      summary: 'Get the health of the service. The status is always 200.',
      access: 'open',
      alwaysAnswers: true,
      request: {},
      responses: { 200: { description: 'Health of the service and its store', schema: Health } },
      async handle(operations: Operations, { identity }) {
        const detailed = identity?.roles.includes('operator') === true;
        const working = await succeeds(operations.ping());
        const details = working && detailed ? await readDetails(operations) : undefined;
        const well = working && (details !== undefined || !detailed);
        const isWhole = !operations.tokenRevocations().isStale && operations.embedder()?.status !== 'failed';
        const body = {
          status: well && isWhole ? 'ok' : 'degraded',
          api: { status: 'ok' },
          backend: { status: well ? 'ok' : 'down' },
          ...details,
        };
        return { body };
      },
    }),
    defineRoute({
      operation: 'ready.get',
      method: 'GET',
      path: '/ready',
      summary: 'Check whether the service can handle requests now.',
      access: 'open',
      alwaysAnswers: true,
      request: {},
      responses: { 200: { description: 'Ready', schema: Ready }, 503: { description: 'Not ready', schema: Ready } },
      async handle(operations: Operations) {
        const ready = !operations.isDraining() && !operations.isShedding() && (await succeeds(operations.ping()));
        const status = operations.embedder()?.status ?? 'ready';
        return { status: ready ? 200 : 503, body: { ready, ...(status === 'ready' ? {} : { embedder: status }) } };
      },
    }),
    defineRoute({
      operation: 'metrics.get',
      method: 'GET',
      path: '/metrics',
      summary: 'Get the metrics for Prometheus.',
      access: 'local',
      alwaysAnswers: true,
      request: {},
      responses: { 200: { description: 'Prometheus text format', contentType: 'text/plain' } },
      async handle(operations: Operations) {
        const { contentType, text } = await operations.metrics();
        return { headers: { 'content-type': contentType }, body: text };
      },
    }),
    ...jobRoutes,
    ...overviewRoutes,
    defineRoute({
      operation: 'openapi.get',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Get the OpenAPI 3.1 description of this API.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'OpenAPI document', contentType: 'application/json' } },
      async handle(operations: Operations) {
        return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: await operations.openapi() };
      },
    }),
    defineRoute({
      operation: 'openapi.getPlugin',
      method: 'GET',
      path: '/openapi-plugin.json',
      summary: 'Get the OpenAPI 3.1 description of the plugin listener.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'OpenAPI document', contentType: 'application/json' } },
      async handle(operations: Operations) {
        return {
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify(await operations.pluginOpenapi()),
        };
      },
    }),
    defineRoute({
      operation: 'docs.get',
      method: 'GET',
      path: '/docs',
      summary: 'Get a page that shows this API and tries its calls.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'HTML page', contentType: 'text/html' } },
      async handle(operations: Operations) {
        return { headers: pageHeaders, body: operations.docsPage() };
      },
    }),
    defineRoute({
      operation: 'docs.getPlugin',
      method: 'GET',
      path: '/docs/plugin',
      summary: 'Get a page that shows the API of the plugin listener.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'HTML page', contentType: 'text/html' } },
      async handle(operations: Operations) {
        return { headers: pageHeaders, body: operations.pluginDocsPage() };
      },
    }),
    defineRoute({
      operation: 'docs.script',
      method: 'GET',
      path: '/docs/script.js',
      summary: 'Get the script of the pages of the APIs.',
      access: 'open',
      request: {},
      responses: { 200: { description: 'JavaScript', contentType: 'text/javascript' } },
      async handle(operations: Operations) {
        return { headers: scriptHeaders, body: await operations.docsScript() };
      },
    }),
  ],
};
