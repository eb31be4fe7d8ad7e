import type { RouteExample } from '../../../http/route.js';

export const conversationExamples: Readonly<Record<string, RouteExample>> = {
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
};
