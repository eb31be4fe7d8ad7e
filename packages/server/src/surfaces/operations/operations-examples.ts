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
  'ready.get': { response: { ready: true } },
  'metrics.get': { response: '# TYPE memhall_problems_total counter\nmemhall_problems_total{code="NOT_FOUND"} 3\n' },
  'openapi.get': {},
  'openapi.getPlugin': {},
  'docs.get': {},
  'docs.getPlugin': {},
  'docs.script': {},
};
