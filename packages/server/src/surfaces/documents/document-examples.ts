import type { RouteExample } from '../../http/route.js';

/** A call of each operation on documents, events and conversations and its answer, as a server gave it. */
export const documentExamples: Readonly<Record<string, RouteExample>> = {
  'schemas.put': {
    params: { tenant_id: 'default', schema_id: 'app.settings', version: '1.0.0' },
    body: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { theme: { enum: ['light', 'dark'] }, languages: { type: 'array', items: { type: 'string' } } },
      },
    },
    response: {
      schema_id: 'app.settings',
      version: '1.0.0',
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { theme: { enum: ['light', 'dark'] }, languages: { type: 'array', items: { type: 'string' } } },
      },
      created_at: '2026-11-18T23:05:10.061Z',
    },
  },
  'schemas.get': {
    params: { tenant_id: 'default', schema_id: 'app.settings', version: '1.0.0' },
    response: {
      schema_id: 'app.settings',
      version: '1.0.0',
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { theme: { enum: ['light', 'dark'] }, languages: { type: 'array', items: { type: 'string' } } },
      },
      created_at: '2026-11-18T23:05:10.061Z',
    },
  },
  'schemas.list': {
    params: { tenant_id: 'default' },
    query: { limit: 20 },
    response: {
      schemas: [
        { schema_id: 'app.settings', version: '1.0.0', created_at: '2026-11-18T23:05:10.061Z' },
        { schema_id: 'memory.project', version: '1.0.0', created_at: '1970-01-01T00:00:00.000Z' },
        { schema_id: 'memory.user.dynamic', version: '1.0.0', created_at: '1970-01-01T00:00:00.000Z' },
        { schema_id: 'memory.user.static', version: '1.0.0', created_at: '1970-01-01T00:00:00.000Z' },
      ],
    },
  },
  'profiles.put': {
    params: { tenant_id: 'default', profile_id: 'app-settings-v1' },
    body: {
      document_bindings: [
        {
          binding_id: 'settings',
          namespace: 'user',
          path: 'settings.json',
          schema_id: 'app.settings',
          schema_version: '1.0.0',
          max_chars: 4000,
          initial: { theme: 'light', languages: [] },
        },
      ],
      writable_path_rules: { settings: ['/theme', '/languages'] },
    },
    response: {
      document_bindings: [
        {
          binding_id: 'settings',
          namespace: 'user',
          schema_id: 'app.settings',
          schema_version: '1.0.0',
          path: 'settings.json',
          max_chars: 4000,
          initial: { theme: 'light', languages: [] },
        },
      ],
      profile_id: 'app-settings-v1',
      writable_path_rules: { settings: ['/theme', '/languages'] },
    },
  },
  'profiles.get': {
    params: { tenant_id: 'default', profile_id: 'app-settings-v1' },
    response: {
      document_bindings: [
        {
          binding_id: 'settings',
          namespace: 'user',
          schema_id: 'app.settings',
          schema_version: '1.0.0',
          path: 'settings.json',
          max_chars: 4000,
          initial: { theme: 'light', languages: [] },
        },
      ],
      profile_id: 'app-settings-v1',
      writable_path_rules: { settings: ['/theme', '/languages'] },
    },
  },
  'profiles.list': {
    params: { tenant_id: 'default' },
    response: {
      profiles: [
        {
          document_bindings: [
            {
              binding_id: 'settings',
              namespace: 'user',
              path: 'settings.json',
              schema_id: 'app.settings',
              schema_version: '1.0.0',
              max_chars: 4000,
              initial: { theme: 'light', languages: [] },
            },
          ],
          writable_path_rules: { settings: ['/theme', '/languages'] },
          profile_id: 'app-settings-v1',
        },
      ],
    },
  },
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
  'events.write': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: {
      event: {
        event_id: 'meeting-12',
        digest: 'Ann and Ben chose Lisbon for the meeting in May.',
        keywords: ['meeting', 'Lisbon'],
        source_type: 'meeting',
        timestamp: '2026-11-17T10:00:00Z',
      },
    },
    response: { event_id: 'meeting-12' },
  },
  'events.search': {
    params: { tenant_id: 'default', user_id: 'ann' },
    body: { query: 'Where is the meeting?', top_k: 3 },
    response: {
      results: [
        {
          event_id: 'meeting-12',
          tenant_id: 'default',
          user_id: 'ann',
          service_id: null,
          timestamp: '2026-11-17T10:00:00.000Z',
          source_type: 'meeting',
          digest: 'Ann and Ben chose Lisbon for the meeting in May.',
          keywords: ['meeting', 'Lisbon'],
          project_ids: [],
          score: 0.668,
        },
      ],
    },
  },
  'conversations.snapshot': {
    params: { tenant_id: 'default', user_id: 'ann', conversation_id: 'c-1' },
    body: {
      profile_id: 'project-copilot-v1',
      messages: [
        {
          id: 'm1',
          role: 'user',
          content: 'My name is Ann. I prefer short answers.',
          timestamp: '2026-11-18T09:00:00Z',
        },
        { id: 'm2', role: 'assistant', content: 'Noted.', timestamp: '2026-11-18T09:00:05Z' },
      ],
    },
    response: {
      snapshot_id: 'snp_01M7REGBM6V4KQRQVX3V0VHE42',
      snapshot_uri: 'memhall://tenants/default/users/ann/snapshots/c-1/snp_01M7REGBM6V4KQRQVX3V0VHE42',
      replay_id: 'rpl_01M7REGBM6N56EDFE4HX6K2ZRN',
    },
  },
  'conversations.listSnapshots': {
    params: { tenant_id: 'default', user_id: 'ann', conversation_id: 'c-1' },
    query: { limit: 20 },
    response: {
      snapshots: [
        {
          snapshot_id: 'snp_01M7REGBM6V4KQRQVX3V0VHE42',
          conversation_id: 'c-1',
          snapshot_uri: 'memhall://tenants/default/users/ann/snapshots/c-1/snp_01M7REGBM6V4KQRQVX3V0VHE42',
          created_at: '2026-11-18T23:05:10.534Z',
          encrypted_bytes: 246,
        },
      ],
    },
  },
  'conversations.readSnapshot': {
    params: {
      tenant_id: 'default',
      user_id: 'ann',
      conversation_id: 'c-1',
      snapshot_id: 'snp_01M7REGBM6V4KQRQVX3V0VHE42',
    },
    response: {
      snapshot_id: 'snp_01M7REGBM6V4KQRQVX3V0VHE42',
      conversation_id: 'c-1',
      snapshot_uri: 'memhall://tenants/default/users/ann/snapshots/c-1/snp_01M7REGBM6V4KQRQVX3V0VHE42',
      created_at: '2026-11-18T23:05:10.534Z',
      profile_id: 'project-copilot-v1',
      messages: [
        {
          id: 'm1',
          role: 'user',
          content: 'My name is Ann. I prefer short answers.',
          timestamp: '2026-11-18T09:00:00Z',
        },
        { id: 'm2', role: 'assistant', content: 'Noted.', timestamp: '2026-11-18T09:00:05Z' },
      ],
    },
  },
  'conversations.list': {
    params: { tenant_id: 'default', user_id: 'ann' },
    query: { limit: 20 },
    response: {
      conversations: [
        {
          conversation_id: 'c-1',
          turns: 0,
          snapshots: 1,
          first_at: '2026-11-18T23:05:10.534Z',
          last_at: '2026-11-18T23:05:10.534Z',
        },
      ],
    },
  },
  'conversations.get': {
    params: { tenant_id: 'default', user_id: 'ann', conversation_id: 'c-1' },
    response: {
      conversation_id: 'c-1',
      replays: [],
      digests: [
        {
          event_id: 'evt_ad6c9e7674001965947d9f871d971131',
          at: '2026-11-18T09:00:05.000Z',
          text: 'My name is Ann. I prefer short answers.',
          keywords: ['ann', 'short', 'answers'],
          message_ids: ['m1'],
        },
      ],
      learned: [],
      facts: [
        {
          fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
          subject: 'me',
          attribute: 'name',
          value: 'Ann',
          status: 'current',
          message_ids: [],
        },
      ],
      patches: [
        {
          namespace: 'user',
          path: 'user_dynamic.json',
          version: 1,
          etag: '"SvB36C3J30T6vnEK7Uv8Khg8qa8"',
          pre_etag: null,
          at: '2026-11-18T23:05:10.657Z',
          actor: { roles: [], service_id: 'memhall', user_id: null },
          profile_id: 'project-copilot-v1',
          binding_id: 'user_dynamic',
          reason: 'replay_update',
          ops: [{ op: 'add', path: '/content/preferences/-', value: 'I prefer short answers.' }],
          evidence: { conversation_id: 'c-1', message_ids: ['m1'] },
          confidence: 0.9,
          redirected: false,
          request_id: 'rpl_01M7REGBM6N56EDFE4HX6K2ZRN',
          message_ids: ['m1'],
        },
      ],
      unresolved: [],
    },
  },
  'conversations.replay': {
    params: {
      tenant_id: 'default',
      user_id: 'ann',
      conversation_id: 'c-1',
      snapshot_id: 'snp_01M7REGBM6V4KQRQVX3V0VHE42',
    },
    body: { profile_id: 'project-copilot-v1' },
    response: { replay_id: 'rpl_01M7REGBM6N56EDFE4HX6K2ZRN' },
  },
  'replays.get': {
    params: { tenant_id: 'default', user_id: 'ann', replay_id: 'rpl_01M7REGBM6N56EDFE4HX6K2ZRN' },
    response: {
      replay_id: 'rpl_01M7REGBM6N56EDFE4HX6K2ZRN',
      status: 'completed',
      conversation_id: 'c-1',
      snapshot_id: 'snp_01M7REGBM6V4KQRQVX3V0VHE42',
      profile_id: 'project-copilot-v1',
      attempts: 1,
      outcome: {
        extractor: 'rules-2',
        event_id: 'evt_ad6c9e7674001965947d9f871d971131',
        digest_superseded: false,
        facts_proposed: 2,
        facts_confirmed: 0,
        facts_refused: { too_unsure: 0, no_place: 0, too_many: 0 },
        patches_applied: 2,
        patches_redirected: 0,
        patches_unresolved: 0,
      },
      error: null,
      created_at: '2026-11-18T23:05:10.534Z',
      updated_at: '2026-11-18T23:05:10.690Z',
      finished_at: '2026-11-18T23:05:10.690Z',
    },
  },
  'unresolved.list': {
    params: { tenant_id: 'default', user_id: 'bea' },
    query: { limit: 20 },
    response: {
      patches: [
        {
          patch_id: 'unp_dfba0561cd30c5f3371f229f690725f7',
          user_id: 'bea',
          replay_id: 'rpl_01M7REGBX6CHJT495H1811E1PC',
          profile_id: 'project-copilot-v1',
          binding_id: 'user_dynamic',
          namespace: 'user',
          path: 'user_dynamic.json',
          ops: [
            {
              op: 'add',
              path: '/content/durable_facts/-',
              value: {
                text: 'My name is Bea',
                confidence: 0.96,
                evidence: {
                  snapshot_uri: 'memhall://tenants/default/users/bea/snapshots/c-9/snp_01M7REGBX62N0842TCGF4TBP5J',
                  conversation_id: 'c-9',
                  message_ids: ['m1'],
                },
                last_verified_at: '2026-11-18T23:05:10.864Z',
              },
            },
          ],
          confidence: 0.96,
          evidence: {
            snapshot_uri: 'memhall://tenants/default/users/bea/snapshots/c-9/snp_01M7REGBX62N0842TCGF4TBP5J',
            conversation_id: 'c-9',
            message_ids: ['m1'],
          },
          status: 'review',
          attempts: 1,
          problem: {
            code: 'DOCUMENT_SIZE_EXCEEDED',
            message: 'The content would have 18034 characters, but the binding user_dynamic allows 18000.',
          },
          next_attempt_at: null,
          created_at: '2026-11-18T23:05:10.897Z',
          updated_at: '2026-11-18T23:05:10.897Z',
        },
      ],
    },
  },
  'unresolved.apply': {
    params: { tenant_id: 'default', user_id: 'bea', patch_id: 'unp_dfba0561cd30c5f3371f229f690725f7' },
    response: {
      etag: '"WfZqRGzA6Y1XnGhDSqHSSFVGr__"',
      document: {
        doc_id: '01a1f0e8-2f53-76c5-a219-05345ec52e63',
        schema_id: 'memory.user.dynamic',
        schema_version: '1.0.0',
        created_at: '2026-11-18T23:05:10.739Z',
        updated_at: '2026-11-18T23:05:11.607Z',
        updated_by: 'admin',
        content: {
          preferences: ['A very long note…'],
          durable_facts: [
            {
              text: 'My name is Bea',
              confidence: 0.96,
              evidence: {
                snapshot_uri: 'memhall://tenants/default/users/bea/snapshots/c-9/snp_01M7REGBX62N0842TCGF4TBP5J',
                conversation_id: 'c-9',
                message_ids: ['m1'],
              },
              last_verified_at: '2026-11-18T23:05:10.864Z',
            },
          ],
          pending_confirmations: [],
          projects_index: [],
        },
      },
      idempotency_replay: false,
    },
  },
  'unresolved.discard': {
    params: { tenant_id: 'default', user_id: 'cleo', patch_id: 'unp_4dd862a1be51b43e8f98771a66166431' },
  },
  'unresolvedQueue.list': {
    params: { tenant_id: 'default' },
    query: { status: 'review', limit: 1 },
    response: {
      patches: [
        {
          patch_id: 'unp_a7781363b77fa6428fed77566f97edb1',
          user_id: 'dan',
          replay_id: 'rpl_01M7REGCDHQQ4F0MJQJ894F27J',
          profile_id: 'project-copilot-v1',
          binding_id: 'user_dynamic',
          namespace: 'user',
          path: 'user_dynamic.json',
          ops: [
            {
              op: 'add',
              path: '/content/durable_facts/-',
              value: {
                text: 'My name is Dan',
                confidence: 0.96,
                evidence: {
                  snapshot_uri: 'memhall://tenants/default/users/dan/snapshots/c-9/snp_01M7REGCDH6TZA5JMFMSN19XDF',
                  conversation_id: 'c-9',
                  message_ids: ['m1'],
                },
                last_verified_at: '2026-11-18T23:05:11.363Z',
              },
            },
          ],
          confidence: 0.96,
          evidence: {
            snapshot_uri: 'memhall://tenants/default/users/dan/snapshots/c-9/snp_01M7REGCDH6TZA5JMFMSN19XDF',
            conversation_id: 'c-9',
            message_ids: ['m1'],
          },
          status: 'review',
          attempts: 1,
          problem: {
            code: 'DOCUMENT_SIZE_EXCEEDED',
            message: 'The content would have 18035 characters, but the binding user_dynamic allows 18000.',
          },
          next_attempt_at: null,
          created_at: '2026-11-18T23:05:11.368Z',
          updated_at: '2026-11-18T23:05:11.368Z',
        },
      ],
      next_cursor: 'WyIyMDI2LTExLTE4VDIzOjA1OjExLjM2OFoiLCJ1bnBfYTc3ODEzNjNiNzdmYTY0MjhmZWQ3NzU2NmY5N2VkYjEiXQ',
    },
  },
  'unresolvedQueue.apply': {
    params: { tenant_id: 'default', patch_id: 'unp_a7781363b77fa6428fed77566f97edb1' },
    response: {
      etag: '"zD5yUDXknqG4sUHioNiJqZmtdzF"',
      document: {
        doc_id: '01a1f0e8-315a-7c63-8552-2ac8bdaa418f',
        schema_id: 'memory.user.dynamic',
        schema_version: '1.0.0',
        created_at: '2026-11-18T23:05:11.258Z',
        updated_at: '2026-11-18T23:05:11.669Z',
        updated_by: 'admin',
        content: {
          preferences: ['A very long note…'],
          durable_facts: [
            {
              text: 'My name is Dan',
              confidence: 0.96,
              evidence: {
                snapshot_uri: 'memhall://tenants/default/users/dan/snapshots/c-9/snp_01M7REGCDH6TZA5JMFMSN19XDF',
                conversation_id: 'c-9',
                message_ids: ['m1'],
              },
              last_verified_at: '2026-11-18T23:05:11.363Z',
            },
          ],
          pending_confirmations: [],
          projects_index: [],
        },
      },
      idempotency_replay: false,
    },
  },
  'unresolvedQueue.discard': { params: { tenant_id: 'default', patch_id: 'unp_90a65d2a1303bc55067c50c8d9f90435' } },
};
