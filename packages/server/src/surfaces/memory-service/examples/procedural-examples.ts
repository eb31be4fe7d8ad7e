import type { RouteExample } from '../../../http/route.js';

export const proceduralExamples: Readonly<Record<string, RouteExample>> = {
  'procedural.store': {
    body: {
      agent_id: 'support',
      procedure_type: 'skill',
      trigger_condition: 'The user asks for a refund',
      content: 'Check the date of purchase first.',
    },
    response: {
      id: '01a1f088-a904-7607-992d-73f19a733195',
      agent_id: 'support',
      trigger_condition: 'The user asks for a refund',
      procedure_type: 'skill',
      content: 'Check the date of purchase first.',
      metadata: {},
      occurred_at: '2026-11-18T21:20:50.436Z',
      created_at: '2026-11-18T21:20:50.436Z',
    },
  },
  'procedural.list': {
    query: {
      agent_id: 'support',
    },
    response: {
      entries: [
        {
          id: '01a1f088-a904-7607-992d-73f19a733195',
          agent_id: 'support',
          trigger_condition: 'The user asks for a refund',
          procedure_type: 'skill',
          content: 'Check the date of purchase first.',
          metadata: {},
          occurred_at: '2026-11-18T21:20:50.436Z',
          created_at: '2026-11-18T21:20:50.436Z',
        },
      ],
      count: 1,
    },
  },
  'procedural.deleteMany': {
    query: {
      agent_id: 'support',
    },
    response: {
      deleted_count: 0,
    },
  },
  'procedural.context': {
    query: {
      agent_id: 'support',
      q: 'I want my money back',
    },
    response: {
      entries: [],
      count: 0,
    },
  },
  'procedural.get': {
    params: {
      id: '01a1f088-a904-7607-992d-73f19a733195',
    },
    response: {
      id: '01a1f088-a904-7607-992d-73f19a733195',
      agent_id: 'support',
      trigger_condition: 'The user asks for a refund',
      procedure_type: 'skill',
      content: 'Check the date of purchase first.',
      metadata: {},
      occurred_at: '2026-11-18T21:20:50.436Z',
      created_at: '2026-11-18T21:20:50.436Z',
    },
  },
  'procedural.delete': {
    params: {
      id: '01a1f088-a904-7607-992d-73f19a733195',
    },
  },
};
