import { Type } from 'typebox';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import type { EmbedderDescription } from '../../ports/embedder.js';
import type { StoreStatus } from '../../ports/store.js';

/** What the operations surface shows of a running process. */
export interface Operations {
  /** Rejects when the store does not answer in time. */
  ping(): Promise<void>;
  status(): Promise<StoreStatus>;
  /** null: recall is by words only. */
  embedder(): EmbedderDescription | null;
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
        const database = working && detailed ? await operations.status().then(toDatabase, () => undefined) : undefined;
        const well = working && (database !== undefined || !detailed);
        const body = {
          status: well ? 'ok' : 'degraded',
          api: { status: 'ok' },
          backend: { status: well ? 'ok' : 'down' },
          ...(database === undefined ? {} : { database, ...toRecall(operations.embedder()) }),
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
