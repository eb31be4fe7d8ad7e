import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const pluginExamples: Readonly<Record<string, RouteExample>> = {
  'plugin.health': {
    response: { status: 'ok', version: '1', capabilities: ['embedding', 'fts', 'ttl', 'pin', 'propagation'] },
  },
  'plugin.putNamespace': {
    params: { name: 'team:blue' },
    body: { kind: 'team', metadata: { owner: 'ann' } },
    response: { name: 'team:blue', kind: 'team', created_at: '2026-11-18T23:05:13.467Z', metadata: { owner: 'ann' } },
  },
  'plugin.updateNamespace': {
    params: { name: 'team:blue' },
    body: { expires_at: '2027-11-18T00:00:00Z' },
    response: {
      name: 'team:blue',
      kind: 'team',
      created_at: '2026-11-18T23:05:13.467Z',
      expires_at: '2027-11-18T00:00:00.000Z',
      metadata: { owner: 'ann' },
    },
  },
  'plugin.deleteNamespace': { params: { name: 'team:blue' } },
  'plugin.commit': {
    params: { name: 'team:blue' },
    body: { content: 'The team meets on Tuesdays.', kind: 'fact', source: 'agent', pin: true },
    response: { id: '01a1f0e8-3a0a-7eb9-a1b6-8baa8c60bfc4', namespace: 'team:blue' },
  },
  'plugin.search': {
    body: { namespaces: ['team:blue'], query: 'When does the team meet?', limit: 3 },
    response: {
      memories: [
        {
          id: '01a1f0e8-3a0a-7eb9-a1b6-8baa8c60bfc4',
          namespace: 'team:blue',
          content: 'The team meets on Tuesdays.',
          kind: 'fact',
          source: 'agent',
          created_at: '2026-11-18T23:05:13.482Z',
          pin: true,
          score: 0.812,
        },
      ],
    },
  },
  'plugin.forget': {
    params: { id: '01a1f0e8-3a0a-7eb9-a1b6-8baa8c60bfc4' },
    body: { requested_by_namespace: 'team:blue' },
  },
};
