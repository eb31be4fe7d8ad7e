import type { RouteExample } from '../../../http/route.js';

export const episodicExamples: Readonly<Record<string, RouteExample>> = {
  'episodic.log': {
    body: {
      entries: [
        {
          agent_id: 'support',
          session_id: 'chat-7',
          role: 'user',
          content: 'Where is my order?',
        },
      ],
    },
    response: {
      entries: [
        {
          id: '01a1f088-a6eb-76f6-83f5-cd91914d65e2',
          agent_id: 'support',
          role: 'user',
          content: 'Where is my order?',
          metadata: {},
          session_id: 'chat-7',
          occurred_at: '2026-11-18T21:20:49.899Z',
          created_at: '2026-11-18T21:20:49.899Z',
        },
      ],
      count: 1,
    },
  },
  'episodic.forgetSession': {
    query: {
      agent_id: 'support',
      session_id: 'chat-7',
    },
    response: {
      deleted_count: 0,
      session_id: 'chat-7',
    },
  },
  'episodic.recent': {
    query: {
      agent_id: 'support',
      limit: 10,
    },
    response: {
      entries: [
        {
          id: '01a1f088-a6eb-76f6-83f5-cd91914d65e2',
          agent_id: 'support',
          role: 'user',
          content: 'Where is my order?',
          metadata: {},
          session_id: 'chat-7',
          occurred_at: '2026-11-18T21:20:49.899Z',
          created_at: '2026-11-18T21:20:49.899Z',
        },
      ],
      count: 1,
    },
  },
  'episodic.search': {
    query: {
      agent_id: 'support',
      q: 'order',
    },
    response: {
      entries: [
        {
          id: '01a1f088-a6eb-76f6-83f5-cd91914d65e2',
          agent_id: 'support',
          role: 'user',
          content: 'Where is my order?',
          metadata: {},
          session_id: 'chat-7',
          occurred_at: '2026-11-18T21:20:49.899Z',
          created_at: '2026-11-18T21:20:49.899Z',
          score: 0.7768698398515702,
        },
      ],
      count: 1,
    },
  },
  'episodic.get': {
    params: {
      id: '01a1f088-a6eb-76f6-83f5-cd91914d65e2',
    },
    response: {
      id: '01a1f088-a6eb-76f6-83f5-cd91914d65e2',
      agent_id: 'support',
      role: 'user',
      content: 'Where is my order?',
      metadata: {},
      session_id: 'chat-7',
      occurred_at: '2026-11-18T21:20:49.899Z',
      created_at: '2026-11-18T21:20:49.899Z',
    },
  },
  'episodic.delete': {
    params: {
      id: '01a1f088-a6eb-76f6-83f5-cd91914d65e2',
    },
  },
};
