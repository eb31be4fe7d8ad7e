import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const memoryServiceExamples: Readonly<Record<string, RouteExample>> = {
  'semantic.store': {
    body: {
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      tags: ['tools'],
    },
    response: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
      tenant_id: 'default',
      user_id: 'me',
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      is_public: false,
      metadata: {},
      tags: ['tools'],
      source: null,
      plan_id: null,
      session_id: null,
      content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
      created_at: '2026-11-18T21:20:49.412Z',
      updated_at: '2026-11-18T21:20:49.412Z',
    },
  },
  'semantic.list': {
    query: {
      limit: 20,
    },
    response: {
      entries: [
        {
          id: '01a1f088-a504-79fc-b486-453f2e1c2465',
          tenant_id: 'default',
          user_id: 'me',
          content: 'Docker runs containers.',
          external_id: 'doc-1',
          is_public: false,
          metadata: {},
          tags: ['tools'],
          source: null,
          plan_id: null,
          session_id: null,
          content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
          created_at: '2026-11-18T21:20:49.412Z',
          updated_at: '2026-11-18T21:20:49.412Z',
        },
      ],
      count: 1,
    },
  },
  'semantic.deleteMany': {
    query: {
      tag: 'tools',
    },
    response: {
      deleted_count: 0,
    },
  },
  'semantic.query': {
    body: {
      query: 'container platforms',
      top_k: 5,
    },
    response: {
      entries: [
        {
          id: '01a1f088-a504-79fc-b486-453f2e1c2465',
          tenant_id: 'default',
          user_id: 'me',
          content: 'Docker runs containers.',
          external_id: 'doc-1',
          is_public: false,
          metadata: {},
          tags: ['tools'],
          source: null,
          plan_id: null,
          session_id: null,
          content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
          created_at: '2026-11-18T21:20:49.412Z',
          updated_at: '2026-11-18T21:20:49.412Z',
          score: 0.10135323543927666,
        },
      ],
      count: 1,
    },
  },
  'semantic.find': {
    query: {
      q: 'container platforms',
    },
    response: {
      entries: [
        {
          id: '01a1f088-a504-79fc-b486-453f2e1c2465',
          tenant_id: 'default',
          user_id: 'me',
          content: 'Docker runs containers.',
          external_id: 'doc-1',
          is_public: false,
          metadata: {},
          tags: ['tools'],
          source: null,
          plan_id: null,
          session_id: null,
          content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
          created_at: '2026-11-18T21:20:49.412Z',
          updated_at: '2026-11-18T21:20:49.412Z',
          score: 0.10135323543927666,
        },
      ],
      count: 1,
    },
  },
  'semantic.byExternalId': {
    query: {
      external_id: 'doc-1',
    },
    response: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
      tenant_id: 'default',
      user_id: 'me',
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      is_public: false,
      metadata: {},
      tags: ['tools'],
      source: null,
      plan_id: null,
      session_id: null,
      content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
      created_at: '2026-11-18T21:20:49.412Z',
      updated_at: '2026-11-18T21:20:49.412Z',
    },
  },
  'semantic.deleteByExternalId': {
    query: {
      external_id: 'doc-1',
    },
  },
  'semantic.get': {
    params: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
    },
    response: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
      tenant_id: 'default',
      user_id: 'me',
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      is_public: false,
      metadata: {},
      tags: ['tools'],
      source: null,
      plan_id: null,
      session_id: null,
      content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
      created_at: '2026-11-18T21:20:49.412Z',
      updated_at: '2026-11-18T21:20:49.412Z',
    },
  },
  'semantic.delete': {
    params: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
    },
  },
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
  'tasks.store': {
    body: {
      task_id: 'order-77',
      event_type: 'order.placed',
      response_event: 'order.shipped',
      data: {
        order: 77,
      },
      sub_tasks: ['pay-77', 'pack-77'],
    },
    response: {
      task_id: 'order-77',
      created_at: '2026-11-18T21:20:50.904Z',
    },
  },
  'tasks.list': {
    response: {
      task_contexts: [
        {
          task_id: 'order-77',
          plan_id: null,
          event_type: 'order.placed',
          response_event: 'order.shipped',
          response_topic: 'action-results',
          sub_tasks: ['pay-77', 'pack-77'],
          created_at: '2026-11-18T21:20:50.904Z',
          updated_at: '2026-11-18T21:20:50.904Z',
        },
      ],
      count: 1,
    },
  },
  'tasks.bySubTask': {
    params: {
      subtask_id: 'pay-77',
    },
    response: {
      task_id: 'order-77',
      plan_id: null,
      event_type: 'order.placed',
      response_event: 'order.shipped',
      response_topic: 'action-results',
      sub_tasks: ['pay-77', 'pack-77'],
      created_at: '2026-11-18T21:20:50.904Z',
      updated_at: '2026-11-18T21:20:50.904Z',
      data: {
        order: 77,
      },
      state: {},
    },
  },
  'tasks.get': {
    params: {
      task_id: 'order-77',
    },
    response: {
      task_id: 'order-77',
      plan_id: null,
      event_type: 'order.placed',
      response_event: 'order.shipped',
      response_topic: 'action-results',
      sub_tasks: ['pay-77', 'pack-77'],
      created_at: '2026-11-18T21:20:50.904Z',
      updated_at: '2026-11-18T21:20:50.904Z',
      data: {
        order: 77,
      },
      state: {},
    },
  },
  'tasks.update': {
    params: {
      task_id: 'order-77',
    },
    headers: {
      'if-match': '*',
    },
    body: {
      state: {
        paid: true,
      },
    },
    response: {
      task_id: 'order-77',
      plan_id: null,
      event_type: 'order.placed',
      response_event: 'order.shipped',
      response_topic: 'action-results',
      sub_tasks: ['pay-77', 'pack-77'],
      created_at: '2026-11-18T21:20:50.904Z',
      updated_at: '2026-11-18T21:20:51.076Z',
      data: {
        order: 77,
      },
      state: {
        paid: true,
      },
    },
  },
  'tasks.delete': {
    params: {
      task_id: 'order-77',
    },
  },
  'tasks.changeSubTasks': {
    params: {
      task_id: 'order-77',
    },
    body: {
      remove: ['pay-77', 'pack-77'],
    },
    response: {
      sub_tasks: [],
      removed: ['pay-77', 'pack-77'],
      became_empty: true,
    },
  },
  'tasks.takeLease': {
    params: {
      task_id: 'order-77',
    },
    body: {
      lease_seconds: 60,
    },
    response: {
      lease_id: '01a1f088-ac20-72d1-85bc-b29acfa7c10b',
      expires_at: '2026-11-18T21:21:51.232Z',
      next: 'delegate',
    },
  },
  'tasks.releaseLease': {
    params: {
      task_id: 'order-77',
    },
    query: {
      lease_id: '01a1f088-ac20-72d1-85bc-b29acfa7c10b',
    },
  },
  'plans.create': {
    body: {
      plan_id: 'trip-3',
      goal_event: 'trip.requested',
      goal_data: {
        to: 'Oslo',
      },
      current_state: 'booking',
      correlation_ids: ['mail-9'],
    },
    response: {
      plan_id: 'trip-3',
      goal_event: 'trip.requested',
      goal_data: {
        to: 'Oslo',
      },
      status: 'running',
      current_state: 'booking',
      response_event: null,
      correlation_ids: ['mail-9'],
      session_id: null,
      parent_plan_id: null,
      created_at: '2026-11-18T21:20:51.354Z',
      updated_at: '2026-11-18T21:20:51.354Z',
      finished_at: null,
      state: {},
    },
  },
  'plans.list': {
    response: {
      plans: [
        {
          plan_id: 'trip-3',
          goal_event: 'trip.requested',
          goal_data: {
            to: 'Oslo',
          },
          status: 'running',
          current_state: 'booking',
          response_event: null,
          correlation_ids: ['mail-9'],
          session_id: null,
          parent_plan_id: null,
          created_at: '2026-11-18T21:20:51.354Z',
          updated_at: '2026-11-18T21:20:51.354Z',
          finished_at: null,
        },
      ],
      count: 1,
    },
  },
  'plans.byCorrelation': {
    params: {
      correlation_id: 'mail-9',
    },
    response: {
      plan_id: 'trip-3',
      goal_event: 'trip.requested',
      goal_data: {
        to: 'Oslo',
      },
      status: 'running',
      current_state: 'booking',
      response_event: null,
      correlation_ids: ['mail-9'],
      session_id: null,
      parent_plan_id: null,
      created_at: '2026-11-18T21:20:51.354Z',
      updated_at: '2026-11-18T21:20:51.354Z',
      finished_at: null,
      state: {},
    },
  },
  'plans.get': {
    params: {
      plan_id: 'trip-3',
    },
    response: {
      plan_id: 'trip-3',
      goal_event: 'trip.requested',
      goal_data: {
        to: 'Oslo',
      },
      status: 'running',
      current_state: 'booking',
      response_event: null,
      correlation_ids: ['mail-9'],
      session_id: null,
      parent_plan_id: null,
      created_at: '2026-11-18T21:20:51.354Z',
      updated_at: '2026-11-18T21:20:51.354Z',
      finished_at: null,
      state: {},
    },
  },
  'plans.update': {
    params: {
      plan_id: 'trip-3',
    },
    headers: {
      'if-match': '*',
    },
    body: {
      status: 'paused',
    },
    response: {
      plan_id: 'trip-3',
      goal_event: 'trip.requested',
      goal_data: {
        to: 'Oslo',
      },
      status: 'paused',
      current_state: 'booking',
      response_event: null,
      correlation_ids: ['mail-9'],
      session_id: null,
      parent_plan_id: null,
      created_at: '2026-11-18T21:20:51.354Z',
      updated_at: '2026-11-18T21:20:51.556Z',
      finished_at: null,
      state: {},
    },
  },
  'plans.delete': {
    params: {
      plan_id: 'trip-3',
    },
  },
  'plans.changeCorrelations': {
    params: {
      plan_id: 'trip-3',
    },
    body: {
      add: ['mail-10'],
      remove: ['mail-9'],
    },
    response: {
      correlation_ids: ['mail-10'],
      removed: ['mail-9'],
      became_empty: false,
    },
  },
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
