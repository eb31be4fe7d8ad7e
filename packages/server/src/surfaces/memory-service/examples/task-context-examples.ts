import type { RouteExample } from '../../../http/route.js';

export const taskContextExamples: Readonly<Record<string, RouteExample>> = {
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
};
