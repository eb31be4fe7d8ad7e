import { Type } from 'typebox';
import type { LatencySummary, RecentLatency } from '../../http/latency-window.js';
import { defineRoute } from '../../http/route.js';
import { nextCursor, pageQuery, Timestamp, toNextCursor } from '../../http/wire-schemas.js';
import type { LatencyState, Operations } from './operations.js';

const Summary = Type.Object(
  {
    count: Type.Integer(),
    p50_ms: Type.Number(),
    p95_ms: Type.Number({ description: 'Nineteen of twenty took at most this long, to within a fifth' }),
    mean_ms: Type.Number(),
  },
  { title: 'LatencySummary' },
);

const Recent = {
  now: Type.Union([Summary, Type.Null()], { description: 'The last five minutes. null: it did not happen' }),
  before: Type.Union([Summary, Type.Null()], { description: 'The rest of the hour before them' }),
};

const Latency = Type.Object(
  {
    operations: Type.Array(
      Type.Object({
        operation: Type.String(),
        objective_ms: Type.Union([Type.Number(), Type.Null()], {
          description: 'What p95 should not exceed: MEMHALL_OBJECTIVE_RECALL_MS and MEMHALL_OBJECTIVE_WRITE_MS',
        }),
        ...Recent,
      }),
    ),
    recall_stages: Type.Array(Type.Object({ stage: Type.String(), ...Recent }), {
      description:
        'The parts of a recall: `load` (read the index), `embed` (the question), `match` (compare words and vectors), `fetch` (the texts), `rerank`, `outside` (ask the memory plugin)',
    }),
    stalls: Type.Array(Type.Object({ at: Timestamp, operation: Type.String(), delay_ms: Type.Integer() }), {
      description: 'When everything had to wait in the last five minutes, and for which operation',
    }),
    findings: Type.Array(
      Type.Object({
        kind: Type.Enum(['stage', 'stall', 'overload', 'connections']),
        about: Type.String(),
        message: Type.String(),
      }),
      { description: 'What makes recall slow, most important first. Empty if it is not slow' },
    ),
  },
  { title: 'Latency' },
);

const TenantList = Type.Object(
  {
    tenants: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          owners: Type.Integer({ description: 'Users and workspaces that ever had something changed' }),
          changes: Type.Integer({ description: 'Audit records' }),
          memories: Type.Integer(),
          waiting: Type.Integer({
            description: 'Memories that wait for a vector of the current embedder, or for their word forms',
          }),
        },
        { title: 'TenantOverview' },
      ),
    ),
    next_cursor: nextCursor,
  },
  { title: 'TenantList' },
);

const Quotas = Type.Object(
  {
    window_seconds: Type.Integer(),
    quotas: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'What has the limit: each user, service or tenant, or all without a token' }),
        limit: Type.Union([Type.Integer(), Type.Null()], { description: 'Requests. null: no limit' }),
        refused: Type.Integer({ description: 'Requests refused since this process started' }),
      }),
    ),
  },
  { title: 'QuotaList' },
);

const noQuery = Type.Object({}, { additionalProperties: false });

export const overviewRoutes = [
  defineRoute({
    operation: 'latency.get',
    method: 'GET',
    path: '/v1/operations/latency',
    summary: 'Get how long requests take now and took earlier in the hour, and what makes recall slow.',
    description: 'As this process measured it; for all processes and a longer time, scrape /metrics.',
    access: 'operator',
    request: { query: noQuery },
    responses: { 200: { description: 'Latency of the last hour', schema: Latency } },
    async handle(operations: Operations) {
      return { body: toLatency(operations.latency()) };
    },
  }),
  defineRoute({
    operation: 'tenants.list',
    method: 'GET',
    path: '/v1/operations/tenants',
    summary: 'List all tenants, with how much they have.',
    access: 'operator',
    request: { query: Type.Object(pageQuery, { additionalProperties: false }) },
    responses: { 200: { description: 'Tenants by id', schema: TenantList } },
    async handle(operations: Operations, { query }) {
      const { items, nextCursor: next } = await operations.listTenants(query);
      return {
        body: { tenants: items.map(({ tenantId, ...counts }) => ({ id: tenantId, ...counts })), ...toNextCursor(next) },
      };
    },
  }),
  defineRoute({
    operation: 'quotas.list',
    method: 'GET',
    path: '/v1/operations/quotas',
    summary: 'List the limits of requests, and how often they were reached.',
    description: 'As this process counts them.',
    access: 'operator',
    request: { query: noQuery },
    responses: { 200: { description: 'Every limit', schema: Quotas } },
    async handle(operations: Operations) {
      const quotas = operations.quotas().map(({ scope, perMinute, refused }) => ({ scope, limit: perMinute, refused }));
      return { body: { window_seconds: 60, quotas } };
    },
  }),
];

function toLatency({ objectives, requests, stages, stalls, findings }: LatencyState) {
  const objectiveOf = new Map(objectives.map(({ operation, p95Ms }) => [operation, p95Ms]));
  return {
    operations: [...requests].map(([operation, recent]) => ({
      operation,
      objective_ms: objectiveOf.get(operation) ?? null,
      ...toRecent(recent),
    })),
    recall_stages: [...stages].map(([stage, recent]) => ({ stage, ...toRecent(recent) })),
    stalls: stalls.map(({ at, operation, delayMs }) => ({
      at: at.toISOString(),
      operation,
      delay_ms: Math.round(delayMs),
    })),
    findings,
  };
}

function toRecent({ now, before }: RecentLatency) {
  return { now: toSummary(now), before: toSummary(before) };
}

function toSummary(summary: LatencySummary | null) {
  if (summary === null) return null;
  const { count, p50Ms, p95Ms, meanMs } = summary;
  return { count, p50_ms: toHundredths(p50Ms), p95_ms: toHundredths(p95Ms), mean_ms: toHundredths(meanMs) };
}

function toHundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
