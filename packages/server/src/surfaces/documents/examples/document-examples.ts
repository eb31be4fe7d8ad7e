import type { RouteExample } from '../../../http/route.js';

export const documentExamples: Readonly<Record<string, RouteExample>> = {
  'documents.list': {
    params: { tenant_id: 'default', user_id: 'ann' },
    query: { namespace: 'user' },
    response: {
      documents: [
        {
          namespace: 'user',
          path: 'settings.json',
          etag: '"tuHaaW6MgKmKrNU-LJPSdJZfp84"',
          size_chars: 36,
          version: 1,
          created_at: '2026-11-18T23:05:10.205Z',
          updated_at: '2026-11-18T23:05:10.205Z',
        },
      ],
    },
  },
  'documents.get': {
    params: { tenant_id: 'default', user_id: 'ann', namespace: 'user', path: 'settings.json' },
    query: { profile_id: 'app-settings-v1' },
    response: {
      etag: '"tuHaaW6MgKmKrNU-LJPSdJZfp84"',
      document: {
        doc_id: '01a1f0e8-2d3d-7da6-b14b-85d239bf9c6b',
        schema_id: 'app.settings',
        schema_version: '1.0.0',
        created_at: '2026-11-18T23:05:10.205Z',
        updated_at: '2026-11-18T23:05:10.205Z',
        updated_by: 'ann',
        content: { theme: 'light', languages: ['pt'] },
      },
    },
  },
  'documents.patch': {
    params: { tenant_id: 'default', user_id: 'ann', namespace: 'user', path: 'settings.json' },
    headers: { 'if-match': '*', 'idempotency-key': 'settings-1' },
    body: {
      profile_id: 'app-settings-v1',
      binding_id: 'settings',
      reason: 'live_update',
      ops: [{ op: 'add', path: '/content/languages/-', value: 'pt' }],
    },
    response: {
      etag: '"tuHaaW6MgKmKrNU-LJPSdJZfp84"',
      document: {
        doc_id: '01a1f0e8-2d3d-7da6-b14b-85d239bf9c6b',
        schema_id: 'app.settings',
        schema_version: '1.0.0',
        created_at: '2026-11-18T23:05:10.205Z',
        updated_at: '2026-11-18T23:05:10.205Z',
        updated_by: 'ann',
        content: { theme: 'light', languages: ['pt'] },
      },
      idempotency_replay: false,
    },
  },
  'documents.replace': {
    params: { tenant_id: 'default', user_id: 'ann', namespace: 'user', path: 'settings.json' },
    headers: { 'if-match': '"tuHaaW6MgKmKrNU-LJPSdJZfp84"', 'idempotency-key': 'settings-2' },
    body: {
      profile_id: 'app-settings-v1',
      binding_id: 'settings',
      reason: 'admin_migration',
      document: { content: { theme: 'dark', languages: ['pt', 'de'] } },
    },
    response: {
      etag: '"TGjokskhNLbAdA6T2BtYfCe-u0c"',
      document: {
        doc_id: '01a1f0e8-2d3d-7da6-b14b-85d239bf9c6b',
        schema_id: 'app.settings',
        schema_version: '1.0.0',
        created_at: '2026-11-18T23:05:10.205Z',
        updated_at: '2026-11-18T23:05:10.323Z',
        updated_by: 'admin',
        content: { theme: 'dark', languages: ['pt', 'de'] },
      },
      idempotency_replay: false,
    },
  },
  'documents.history': {
    params: { tenant_id: 'default', user_id: 'ann', namespace: 'user', path: 'settings.json' },
    query: { limit: 20 },
    response: {
      versions: [
        {
          version: 1,
          etag: '"tuHaaW6MgKmKrNU-LJPSdJZfp84"',
          pre_etag: null,
          at: '2026-11-18T23:05:10.205Z',
          actor: { roles: [], service_id: null, user_id: 'ann' },
          profile_id: 'app-settings-v1',
          binding_id: 'settings',
          reason: 'live_update',
          ops: [{ op: 'add', path: '/content/languages/-', value: 'pt' }],
          evidence: null,
          confidence: null,
          redirected: false,
          request_id: '01a1f0e8-2d2f-7f52-857b-6ffc9c4ccdc2',
        },
      ],
    },
  },
  'context.assemble': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: { profile_id: 'app-settings-v1', query: 'Which languages do I read?', max_docs: 1 },
    response: {
      selected_project_id: null,
      documents: [
        {
          binding_id: 'settings',
          namespace: 'user',
          path: 'settings.json',
          etag: '"TGjokskhNLbAdA6T2BtYfCe-u0c"',
          document: {
            doc_id: '01a1f0e8-2d3d-7da6-b14b-85d239bf9c6b',
            schema_id: 'app.settings',
            schema_version: '1.0.0',
            created_at: '2026-11-18T23:05:10.205Z',
            updated_at: '2026-11-18T23:05:10.323Z',
            updated_by: 'admin',
            content: { theme: 'dark', languages: ['pt', 'de'] },
          },
        },
      ],
      dropped_bindings: [],
      memories: [],
    },
  },
};
