import type { RouteExample } from '../../../http/route.js';

export const retentionExamples: Readonly<Record<string, RouteExample>> = {
  'retention.apply': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: { profile_id: 'project-copilot-v1', as_of: '2026-11-18T00:00:00Z' },
    response: {
      events_deleted: 0,
      audit_deleted: 0,
      snapshots_deleted: 0,
      search_documents_deleted: 0,
      resources_deleted: 0,
      cutoffs: {
        snapshots: '2026-09-19T00:00:00.000Z',
        events: '2025-11-18T00:00:00.000Z',
        audit: '2025-11-18T00:00:00.000Z',
        resources: null,
      },
      held_users: [],
    },
  },
  'retention.preview': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: { profile_id: 'project-copilot-v1', as_of: '2026-11-18T00:00:00Z' },
    response: {
      events_deleted: 0,
      audit_deleted: 0,
      snapshots_deleted: 0,
      search_documents_deleted: 0,
      resources_deleted: 0,
      cutoffs: {
        snapshots: '2026-09-19T00:00:00.000Z',
        events: '2025-11-18T00:00:00.000Z',
        audit: '2025-11-18T00:00:00.000Z',
        resources: null,
      },
      held_users: [],
    },
  },
  'retentionCeilings.put': {
    params: { tenant_id: 'default' },
    body: { snapshots_days: 90, events_days: 365 },
    response: { snapshots_days: 90, events_days: 365, audit_days: null, resources_days: null },
  },
  'retentionCeilings.get': {
    params: { tenant_id: 'default' },
    response: { snapshots_days: 90, events_days: 365, audit_days: null, resources_days: null },
  },
};
