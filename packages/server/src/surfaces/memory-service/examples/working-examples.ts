import type { RouteExample } from '../../../http/route.js';

export const workingExamples: Readonly<Record<string, RouteExample>> = {
  'working.put': {
    params: {
      plan_id: 'release-12',
      key: 'approvals',
    },
    body: {
      value: ['ann', 'bo'],
      ttl_seconds: 3600,
    },
    response: {
      plan_id: 'release-12',
      key: 'approvals',
      value: ['ann', 'bo'],
      created_at: '2026-11-18T21:20:50.689Z',
      updated_at: '2026-11-18T21:20:50.689Z',
      expires_at: '2026-11-18T22:20:50.689Z',
    },
  },
  'working.get': {
    params: {
      plan_id: 'release-12',
      key: 'approvals',
    },
    response: {
      plan_id: 'release-12',
      key: 'approvals',
      value: ['ann', 'bo'],
      created_at: '2026-11-18T21:20:50.689Z',
      updated_at: '2026-11-18T21:20:50.689Z',
      expires_at: '2026-11-18T22:20:50.689Z',
    },
  },
  'working.delete': {
    params: {
      plan_id: 'release-12',
      key: 'approvals',
    },
  },
  'working.list': {
    params: {
      plan_id: 'release-12',
    },
    response: {
      plan_id: 'release-12',
      entries: [
        {
          plan_id: 'release-12',
          key: 'approvals',
          value: ['ann', 'bo'],
          created_at: '2026-11-18T21:20:50.689Z',
          updated_at: '2026-11-18T21:20:50.689Z',
          expires_at: '2026-11-18T22:20:50.689Z',
        },
      ],
      count: 1,
    },
  },
  'working.clear': {
    params: {
      plan_id: 'release-12',
    },
    response: {
      deleted_count: 0,
      plan_id: 'release-12',
    },
  },
};
