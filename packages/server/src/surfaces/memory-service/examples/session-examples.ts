import type { RouteExample } from '../../../http/route.js';

export const sessionExamples: Readonly<Record<string, RouteExample>> = {
  'sessions.create': {
    body: {
      session_id: 'chat-8',
      agent_id: 'support',
      name: 'Refund',
    },
    response: {
      session_id: 'chat-8',
      agent_id: 'support',
      name: 'Refund',
      metadata: {},
      created_at: '2026-11-18T21:20:51.671Z',
      last_interaction: '2026-11-18T21:20:51.671Z',
    },
  },
  'sessions.list': {
    response: {
      sessions: [
        {
          session_id: 'chat-8',
          agent_id: 'support',
          name: 'Refund',
          metadata: {},
          created_at: '2026-11-18T21:20:51.671Z',
          last_interaction: '2026-11-18T21:20:51.671Z',
        },
      ],
      count: 1,
    },
  },
  'sessions.get': {
    params: {
      session_id: 'chat-8',
    },
    response: {
      session_id: 'chat-8',
      agent_id: 'support',
      name: 'Refund',
      metadata: {},
      created_at: '2026-11-18T21:20:51.671Z',
      last_interaction: '2026-11-18T21:20:51.671Z',
      plans: [],
    },
  },
  'sessions.update': {
    params: {
      session_id: 'chat-8',
    },
    headers: {
      'if-match': '*',
    },
    body: {
      name: 'Refund of order 77',
    },
    response: {
      session_id: 'chat-8',
      agent_id: 'support',
      name: 'Refund of order 77',
      metadata: {},
      created_at: '2026-11-18T21:20:51.671Z',
      last_interaction: '2026-11-18T21:20:51.671Z',
    },
  },
  'sessions.delete': {
    params: {
      session_id: 'chat-8',
    },
  },
};
