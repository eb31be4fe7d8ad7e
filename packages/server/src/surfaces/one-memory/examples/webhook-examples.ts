import type { RouteExample } from '../../../http/route.js';

export const webhookExamples: Readonly<Record<string, RouteExample>> = {
  'webhooks.list': {
    params: {
      tenant_id: 'default',
    },
    response: {
      webhooks: [
        {
          name: 'billing',
          url: 'https://hooks.example.com/memhall',
          events: ['memory.*'],
          created_at: '2026-11-18T21:20:49.240Z',
          updated_at: '2026-11-18T21:20:49.240Z',
        },
      ],
    },
  },
  'webhooks.put': {
    params: {
      tenant_id: 'default',
      name: 'billing',
    },
    body: {
      url: 'https://hooks.example.com/memhall',
      events: ['memory.*'],
      secret: 'whsec_replace_this_with_32_random_bytes',
    },
    response: {
      webhook: {
        name: 'billing',
        url: 'https://hooks.example.com/memhall',
        events: ['memory.*'],
        created_at: '2026-11-18T21:20:49.240Z',
        updated_at: '2026-11-18T21:20:49.240Z',
      },
    },
  },
  'webhooks.get': {
    params: {
      tenant_id: 'default',
      name: 'billing',
    },
    response: {
      webhook: {
        name: 'billing',
        url: 'https://hooks.example.com/memhall',
        events: ['memory.*'],
        created_at: '2026-11-18T21:20:49.240Z',
        updated_at: '2026-11-18T21:20:49.240Z',
      },
    },
  },
  'webhooks.delete': {
    params: {
      tenant_id: 'default',
      name: 'billing',
    },
  },
  'webhooks.test': {
    params: {
      tenant_id: 'default',
      name: 'billing',
    },
    response: {
      accepted: true,
      response_status: 204,
      fault: null,
      duration_ms: 38,
    },
  },
  'webhooks.listDeliveries': {
    params: {
      tenant_id: 'default',
      name: 'billing',
    },
    response: {
      deliveries: [
        {
          id: '01a1f088-a2b0-7c3e-9d41-3d3a6f1f2b10',
          status: 'delivered',
          attempts: 1,
          created_at: '2026-11-18T21:20:48.029Z',
          ended_at: '2026-11-18T21:20:48.512Z',
          response_status: 204,
          fault: null,
          duration_ms: 38,
        },
      ],
    },
  },
  'webhooks.getDelivery': {
    params: {
      tenant_id: 'default',
      name: 'billing',
      delivery_id: '01a1f088-a2b0-7c3e-9d41-3d3a6f1f2b10',
    },
    response: {
      delivery: {
        id: '01a1f088-a2b0-7c3e-9d41-3d3a6f1f2b10',
        status: 'delivered',
        attempts: 1,
        created_at: '2026-11-18T21:20:48.029Z',
        ended_at: '2026-11-18T21:20:48.512Z',
        response_status: 204,
        fault: null,
        duration_ms: 38,
      },
      changes: [
        {
          at: '2026-11-18T21:20:48.029Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-40d8-7bae-8699-8c8eef1c5a08',
          user_id: 'me',
        },
      ],
    },
  },
  'webhooks.retryDelivery': {
    params: {
      tenant_id: 'default',
      name: 'billing',
      delivery_id: '01a1f088-a2b0-7c3e-9d41-3d3a6f1f2b10',
    },
    response: {
      delivery: {
        id: '01a1f088-a2b0-7c3e-9d41-3d3a6f1f2b10',
        status: 'delivered',
        attempts: 1,
        created_at: '2026-11-18T21:20:48.029Z',
        ended_at: '2026-11-18T21:20:48.512Z',
        response_status: 204,
        fault: null,
        duration_ms: 38,
      },
    },
  },
};
