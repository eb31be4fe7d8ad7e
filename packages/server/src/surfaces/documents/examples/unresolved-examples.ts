import type { RouteExample } from '../../../http/route.js';

export const unresolvedExamples: Readonly<Record<string, RouteExample>> = {
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
