import type { RouteExample } from '../../../http/route.js';

export const legalHoldExamples: Readonly<Record<string, RouteExample>> = {
  'legalHolds.put': {
    params: { tenant_id: 'default', name: 'case-17' },
    body: { user_ids: ['dan'], reason: 'Lawsuit 17' },
    response: {
      name: 'case-17',
      reason: 'Lawsuit 17',
      created_at: '2026-11-18T23:05:12.021Z',
      updated_at: '2026-11-18T23:05:12.021Z',
      user_ids: ['dan'],
    },
  },
  'legalHolds.get': {
    params: { tenant_id: 'default', name: 'case-17' },
    response: {
      name: 'case-17',
      reason: 'Lawsuit 17',
      created_at: '2026-11-18T23:05:12.021Z',
      updated_at: '2026-11-18T23:05:12.021Z',
      user_ids: ['dan'],
    },
  },
  'legalHolds.delete': { params: { tenant_id: 'default', name: 'case-17' } },
  'legalHolds.list': {
    params: { tenant_id: 'default' },
    query: { limit: 20 },
    response: {
      legal_holds: [
        {
          name: 'case-17',
          reason: 'Lawsuit 17',
          created_at: '2026-11-18T23:05:12.021Z',
          updated_at: '2026-11-18T23:05:12.021Z',
          user_ids: ['dan'],
        },
      ],
    },
  },
};
