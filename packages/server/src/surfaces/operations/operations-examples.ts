import type { RouteExample } from '../../http/route.js';

/** A call of each operation, and its answer if that is short. */
export const operationsExamples: Readonly<Record<string, RouteExample>> = {
  'health.get': {
    response: {
      status: 'ok',
      api: { status: 'ok' },
      backend: { status: 'ok' },
      version: '0.1.0',
      database: {
        kind: 'embedded',
        server_version: '18.6',
        vector_version: '0.8.7',
        schema_version: 42,
        size_bytes: 16122383,
      },
      embedder: {
        kind: 'minilm',
        model: 'all-MiniLM-L6-v2',
        dimension: 384,
        runtime: 'onnxruntime-node 1.30.0',
        status: 'ready',
      },
      capabilities: ['embedding', 'fts', 'ttl', 'pin', 'propagation'],
      indexing: { waiting: 0, lag_seconds: 0 },
      token_revocations: { status: 'ok', entries: 0, age_seconds: 0.566 },
      audit_log: { unsigned_records: 4, witness: null, waiting_heads: 0, waiting_seconds: 0 },
      jobs: [{ name: 'replay', waiting: 0, backlog_seconds: 0, dead_letters: 0 }],
    },
  },
  'jobs.list': {
    query: { state: 'failed', limit: 20 },
    response: {
      jobs: [
        {
          id: '0b5f7c1e-93c4-4f39-a4f4-0e1d4b0c2f11',
          name: 'extract-episode',
          state: 'failed',
          tenant_id: 'default',
          user_id: 'ann',
          attempts: 5,
          max_attempts: 5,
          created_at: '2026-11-18T22:10:04.112Z',
          start_after: '2026-11-18T22:41:20.118Z',
          started_at: '2026-11-18T22:41:21.004Z',
          finished_at: '2026-11-18T22:42:21.017Z',
          problem: 'ExtractorError unavailable',
        },
      ],
    },
  },
  'jobs.retry': { body: { ids: ['0b5f7c1e-93c4-4f39-a4f4-0e1d4b0c2f11'] }, response: { retried: 1 } },
  'latency.get': {
    response: {
      operations: [
        {
          operation: 'memory.recall',
          objective_ms: 150,
          now: { count: 212, p50_ms: 12.78, p95_ms: 476.99, mean_ms: 96.21 },
          before: { count: 2304, p50_ms: 10.65, p95_ms: 22.08, mean_ms: 11.9 },
        },
      ],
      recall_stages: [
        {
          stage: 'embed',
          now: { count: 212, p50_ms: 8.87, p95_ms: 397.49, mean_ms: 84.6 },
          before: { count: 2304, p50_ms: 7.4, p95_ms: 12.78, mean_ms: 7.52 },
        },
      ],
      stalls: [{ at: '2026-11-18T23:04:51.730Z', operation: 'documents.patch', delay_ms: 214 }],
      findings: [
        {
          kind: 'stage',
          about: 'embed',
          message:
            'Embedding the question takes 85 ms of the 96 ms of a recall. Earlier in the hour it took 7.5 ms. Look at the embedder: an endpoint that answers slowly, or a model that competes for the processor with re-embedding.',
        },
      ],
    },
  },
  'tenants.list': {
    query: { limit: 20 },
    response: { tenants: [{ id: 'default', owners: 14, changes: 20417, memories: 8120, waiting: 0 }] },
  },
  'quotas.list': {
    response: {
      window_seconds: 60,
      quotas: [
        { scope: 'user', limit: 120, refused: 3 },
        { scope: 'service', limit: null, refused: 0 },
        { scope: 'tokenless', limit: 100, refused: 0 },
        { scope: 'tenant', limit: 6000, refused: 0 },
      ],
    },
  },
  'ready.get': { response: { ready: true } },
  'metrics.get': { response: '# TYPE memhall_problems_total counter\nmemhall_problems_total{code="NOT_FOUND"} 3\n' },
  'openapi.get': {},
  'openapi.getPlugin': {},
  'docs.get': {},
  'docs.getPlugin': {},
  'docs.script': {},
};
