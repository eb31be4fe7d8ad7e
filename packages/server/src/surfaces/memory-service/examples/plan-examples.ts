import type { RouteExample } from '../../../http/route.js';

export const planExamples: Readonly<Record<string, RouteExample>> = {
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
};
