import type { RouteExample } from '../../../http/route.js';

export const sourceExamples: Readonly<Record<string, RouteExample>> = {
  'sources.revert': {
    params: {
      tenant_id: 'default',
    },
    body: {
      filter: {
        author: 'me',
        surface: 'api',
      },
      dry_run: false,
    },
    response: {
      revert_id: '01a1f088-a2c1-7136-b8a7-297732ce33f8',
      dry_run: false,
      counts: {
        users: 1,
        memories: 3,
        facts: 3,
        restored: 0,
        patches: 0,
        unresolved: 0,
      },
    },
  },
  'sources.list': {
    params: {
      tenant_id: 'default',
    },
    response: {
      reverts: [
        {
          revert_id: '01a1f088-a2c1-7136-b8a7-297732ce33f8',
          at: '2026-11-18T21:20:48.833Z',
          purge_at: '2026-12-18T21:20:48.833Z',
          users: 1,
          memories: 3,
          facts: 3,
        },
      ],
    },
  },
  'sources.undo': {
    params: {
      tenant_id: 'default',
      revert_id: '01a1f088-a2c1-7136-b8a7-297732ce33f8',
    },
    response: {
      counts: {
        users: 1,
        memories: 3,
        facts: 3,
        restored: 0,
        patches: 0,
        unresolved: 0,
      },
    },
  },
};
