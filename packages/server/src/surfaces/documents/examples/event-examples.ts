import type { RouteExample } from '../../../http/route.js';

export const eventExamples: Readonly<Record<string, RouteExample>> = {
  'events.write': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: {
      event: {
        event_id: 'meeting-12',
        digest: 'Ann and Ben chose Lisbon for the meeting in May.',
        keywords: ['meeting', 'Lisbon'],
        source_type: 'meeting',
        timestamp: '2026-11-17T10:00:00Z',
      },
    },
    response: { event_id: 'meeting-12' },
  },
  'events.search': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: { query: 'Where is the meeting?', top_k: 3 },
    response: {
      results: [
        {
          event_id: 'meeting-12',
          tenant_id: 'default',
          user_id: 'ann',
          service_id: null,
          timestamp: '2026-11-17T10:00:00.000Z',
          source_type: 'meeting',
          digest: 'Ann and Ben chose Lisbon for the meeting in May.',
          keywords: ['meeting', 'Lisbon'],
          project_ids: [],
          score: 0.668,
        },
      ],
    },
  },
};
