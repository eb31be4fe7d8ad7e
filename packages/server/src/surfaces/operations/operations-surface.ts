import { Type } from 'typebox';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import type { EmbedderDescription } from '../../ports/embedder.js';
import type { JobBacklog } from '../../ports/job-ledger.js';
import type { StoreStatus } from '../../ports/store.js';

/** What the operations surface shows of a running process. */
export interface Operations {
  /** Rejects when the store does not answer in time. */
  ping(): Promise<void>;
  status(): Promise<StoreStatus>;
  /** null: recall is by words only. */
  embedder(): EmbedderDescription | null;
  jobs(): Promise<JobBacklog[]>;
  metrics(): Promise<{ contentType: string; text: string }>;
  openapi(): unknown;
  docsPage(): string;
}

const Part = Type.Object({ status: Type.Enum(['ok', 'down']) });

const Health = Type.Object({
  status: Type.Enum(['ok', 'degraded']),
  api: Part,
  backend: Part,
  database: Type.Optional(
    Type.Object(
      {
        kind: Type.Enum(['embedded', 'postgres']),
        server_version: Type.String(),
        vector_version: Type.String(),
        schema_version: Type.Integer(),
        size_bytes: Type.Integer(),
      },
      { description: "With an operator's token" },
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
          note: Type.Optional(Type.String()),
        }),
        Type.Null(),
      ],
      { description: "With an operator's token; null: recall is by words only" },
    ),
  ),
  capabilities: Type.Optional(Type.Array(Type.String(), { description: "With an operator's token: what works now" })),
  jobs: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Integer(),
        backlog_seconds: Type.Number({ description: 'How long the oldest that waits could have been done already' }),
        dead_letters: Type.Integer({ description: 'Failed their last attempt' }),
      }),
      { description: "With an operator's token: the work in the background, of all processes" },
    ),
  ),
});

const Ready = Type.Object({ ready: Type.Boolean() });

function answers(check: Promise<void>): Promise<boolean> {
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
  return { embedder, capabilities: [...(embedder === null ? [] : ['embedding']), 'fts', 'ttl', 'pin', 'propagation'] };
}

/** undefined: the store cannot tell. */
async function readDetails(operations: Operations) {
  try {
    const [status, jobs] = await Promise.all([operations.status(), operations.jobs()]);
    return { database: toDatabase(status), ...toRecall(operations.embedder()), jobs: toJobs(jobs) };
  } catch {
    return undefined;
  }
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
  renderProblem,
  routes: [
    defineRoute({
      operation: 'health.get',
      method: 'GET',
      path: '/health',
      summary: 'How the service does; always 200',
      access: 'open',
      request: {},
      responses: { 200: { description: 'State of the service and its store', schema: Health } },
      async handle(operations: Operations, { identity }) {
        const detailed = identity?.roles.includes('operator') === true;
        const working = await answers(operations.ping());
        const details = working && detailed ? await readDetails(operations) : undefined;
        const well = working && (details !== undefined || !detailed);
        const body = {
          status: well ? 'ok' : 'degraded',
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
      summary: 'Whether requests can be served now',
      access: 'open',
      request: {},
      responses: { 200: { description: 'Ready', schema: Ready }, 503: { description: 'Not ready', schema: Ready } },
      async handle(operations: Operations) {
        const ready = await answers(operations.ping());
        return { status: ready ? 200 : 503, body: { ready } };
      },
    }),
    defineRoute({
      operation: 'metrics.get',
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics for Prometheus',
      access: 'local',
      request: {},
      responses: { 200: { description: 'Prometheus text format', contentType: 'text/plain' } },
      async handle(operations: Operations) {
        const { contentType, text } = await operations.metrics();
        return { headers: { 'content-type': contentType }, body: text };
      },
    }),
    defineRoute({
      operation: 'openapi.get',
      method: 'GET',
      path: '/openapi.json',
      summary: 'This interface as OpenAPI 3.1',
      access: 'open',
      request: {},
      responses: { 200: { description: 'OpenAPI document', contentType: 'application/json' } },
      async handle(operations: Operations) {
        return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: operations.openapi() };
      },
    }),
    defineRoute({
      operation: 'docs.get',
      method: 'GET',
      path: '/docs',
      summary: 'This interface as a page to read',
      access: 'open',
      request: {},
      responses: { 200: { description: 'HTML page', contentType: 'text/html' } },
      async handle(operations: Operations) {
        const security = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" };
        return { headers: { 'content-type': 'text/html; charset=utf-8', ...security }, body: operations.docsPage() };
      },
    }),
  ],
};
