import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const gatewayExamples: Readonly<Record<string, RouteExample>> = {
  'users.register': {
    body: { user_id: 'ann' },
    response: { user_id: 'ann', created_at: '2026-11-18T23:05:08.209Z', user_key: 'uk_…' },
  },
  'gateway.add': {
    body: {
      user_id: 'ann',
      user_key: 'uk_…',
      session_id: 'chat:c1',
      messages: [
        {
          id: 'm1',
          sender_id: 'ann',
          role: 'user',
          timestamp: 1795000000000,
          content: 'I always travel by night train.',
        },
        {
          id: 'm2',
          sender_id: 'assistant',
          role: 'assistant',
          timestamp: 1795000004000,
          content: 'I will look for night trains first.',
        },
      ],
    },
    response: { message_count: 2, status: 'accumulated' },
  },
  'gateway.flush': {
    body: { user_id: 'ann', user_key: 'uk_…', session_id: 'chat:c1' },
    response: { status: 'extracted', episodes: 1, digest_id: 'evt_780711fd11b09440ca6aca57b92c7317' },
  },
  'gateway.search': {
    body: { user_id: 'ann', user_key: 'uk_…', query: 'How do I travel?', scope: ['all_user_memory'], top_k: 2 },
    response: {
      results: [
        {
          id: '01a1f0e8-25be-7308-9ae1-305f9bd7cd2b',
          session_id: 'chat:c1',
          text: 'I always travel by night train.',
          score: 0.648,
          source_scope: 'all_user_memory',
          raw: {
            kind: 'episodic',
            role: 'user',
            sender_id: 'ann',
            app_id: 'default',
            project_id: 'default',
            timestamp: 1795000000000,
            created_at: '2026-11-18T23:05:08.286Z',
            surface: 'gateway',
            author: 'ann',
            trust: 'user',
            metadata: { message_id: 'm1' },
            truth: { current: true },
          },
        },
        {
          id: '01a1f0e8-25be-752f-ad3c-844d0149cec7',
          session_id: 'chat:c1',
          text: 'I will look for night trains first.',
          score: 0.522,
          source_scope: 'all_user_memory',
          raw: {
            kind: 'episodic',
            role: 'assistant',
            sender_id: 'assistant',
            app_id: 'default',
            project_id: 'default',
            timestamp: 1795000004000,
            created_at: '2026-11-18T23:05:08.286Z',
            surface: 'gateway',
            author: 'ann',
            trust: 'agent',
            metadata: { message_id: 'm2' },
            truth: { current: true },
          },
        },
      ],
    },
  },
  'gateway.override': {
    body: {
      user_id: 'ann',
      user_key: 'uk_…',
      id: '01a1f0e8-25be-7308-9ae1-305f9bd7cd2b',
      content: 'I travel by night train, or by ferry.',
    },
    response: {
      id: '01a1f0e8-25be-7308-9ae1-305f9bd7cd2b',
      session_id: 'chat:c1',
      text: 'I travel by night train, or by ferry.',
      score: 1,
      source_scope: 'current_chat',
      raw: {
        kind: 'episodic',
        role: 'user',
        sender_id: 'ann',
        app_id: 'default',
        project_id: 'default',
        timestamp: 1795000000000,
        created_at: '2026-11-18T23:05:08.286Z',
        surface: 'gateway',
        author: 'ann',
        trust: 'user',
        metadata: { message_id: 'm1' },
        truth: { current: true },
      },
    },
  },
  'gateway.delete': {
    body: { user_id: 'ann', user_key: 'uk_…', id: '01a1f0e8-25be-7308-9ae1-305f9bd7cd2b' },
    response: { deleted: 1 },
  },
  'resources.upload': {
    body: { user_id: 'ann', user_key: 'uk_…', title: 'Trains' },
    response: {
      resource_id: 'r_01M7REGAJ127T8DPF3TYBGH685',
      session_id: 'resource:ann:r_01M7REGAJ127T8DPF3TYBGH685',
      uri: 'memhall://tenants/default/users/ann/resources/r_01M7REGAJ127T8DPF3TYBGH685',
      status: 'extracted',
      chunks: 1,
    },
  },
  'resources.list': {
    body: { user_id: 'ann', user_key: 'uk_…', limit: 20 },
    response: {
      resources: [
        {
          resource_id: 'r_01M7REGAJ127T8DPF3TYBGH685',
          session_id: 'resource:ann:r_01M7REGAJ127T8DPF3TYBGH685',
          uri: 'memhall://tenants/default/users/ann/resources/r_01M7REGAJ127T8DPF3TYBGH685',
          status: 'extracted',
          chunks: 1,
          title: 'Trains',
          description: null,
          file_name: 'trains.md',
          media_type: 'text/markdown',
          size_bytes: 78,
          app_id: 'default',
          project_id: 'default',
          created_at: '2026-11-18T23:05:09.441Z',
        },
      ],
    },
  },
  'resources.get': {
    body: { user_id: 'ann', user_key: 'uk_…', resource_id: 'r_01M7REGAJ127T8DPF3TYBGH685' },
    response: {
      resources: [
        {
          resource_id: 'r_01M7REGAJ127T8DPF3TYBGH685',
          session_id: 'resource:ann:r_01M7REGAJ127T8DPF3TYBGH685',
          uri: 'memhall://tenants/default/users/ann/resources/r_01M7REGAJ127T8DPF3TYBGH685',
          status: 'extracted',
          chunks: 1,
          title: 'Trains',
          description: null,
          file_name: 'trains.md',
          media_type: 'text/markdown',
          size_bytes: 78,
          app_id: 'default',
          project_id: 'default',
          created_at: '2026-11-18T23:05:09.441Z',
        },
      ],
    },
  },
  'resources.delete': {
    body: { user_id: 'ann', user_key: 'uk_…', resource_id: 'r_01M7REGAJ127T8DPF3TYBGH685' },
    response: { deleted: 1 },
  },
};
