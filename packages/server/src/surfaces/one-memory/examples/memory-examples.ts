import type { RouteExample } from '../../../http/route.js';

export const memoryExamples: Readonly<Record<string, RouteExample>> = {
  'memory.remember': {
    body: {
      content: 'I take my tea without milk.',
      external_id: 'tea',
      tags: ['food'],
    },
    response: {
      memory: {
        id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        content: 'I take my tea without milk.',
        kind: 'note',
        external_id: 'tea',
        tags: ['food'],
        metadata: {},
        session_id: null,
        role: null,
        pin: false,
        namespace: null,
        public: false,
        occurred_at: '2026-11-18T21:20:46.148Z',
        expires_at: null,
        recorded_at: '2026-11-18T21:20:46.148Z',
        updated_at: '2026-11-18T21:20:46.148Z',
        trust: 'user',
        origin: {
          surface: 'api',
          author: 'me',
        },
      },
    },
  },
  'memory.recall': {
    body: {
      query: 'What do I take in my tea?',
      limit: 3,
    },
    response: {
      results: [
        {
          id: '01a1f088-9844-7fd5-90b2-af71453452d5',
          text: 'I take my tea without milk.',
          kind: 'note',
          score: 0.7454713544043784,
          occurred_at: '2026-11-18T21:20:46.148Z',
          recorded_at: '2026-11-18T21:20:46.148Z',
          origin: {
            surface: 'api',
            author: 'me',
          },
          trust: 'user',
          current: true,
          own: true,
        },
      ],
    },
  },
  'memory.why': {
    body: {
      query: 'What do I take in my tea?',
      memory_id: '01a1f088-9844-7fd5-90b2-af71453452d5',
    },
    response: {
      returned: true,
      reason: 'returned',
      explain: {
        message: 'It is in result 1, found by words.',
        found_by: ['words'],
        score: 0.7454713544043784,
        parts: {
          lexical: 0.9122279286384583,
          dense: 0,
          context: 0,
          speaker: 0,
          time: 0,
          hint: 0,
          pin: 0,
          recency: 0,
          truth: 0,
          cosine: null,
        },
        matches: 1,
      },
      rank: 1,
    },
  },
  'memory.list': {
    query: {
      tag: 'food',
      limit: 20,
    },
    response: {
      memories: [
        {
          id: '01a1f088-9844-7fd5-90b2-af71453452d5',
          content: 'I take my tea without milk.',
          kind: 'note',
          external_id: 'tea',
          tags: ['food'],
          metadata: {},
          session_id: null,
          role: null,
          pin: false,
          namespace: null,
          public: false,
          occurred_at: '2026-11-18T21:20:46.148Z',
          expires_at: null,
          recorded_at: '2026-11-18T21:20:46.148Z',
          updated_at: '2026-11-18T21:20:46.148Z',
          trust: 'user',
          origin: {
            surface: 'api',
            author: 'me',
          },
        },
      ],
    },
  },
  'memory.export': {
    query: {
      format: 'markdown',
    },
  },
  'memory.get': {
    params: {
      id: '01a1f088-9844-7fd5-90b2-af71453452d5',
    },
    response: {
      memory: {
        id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        content: 'I take my tea without milk.',
        kind: 'note',
        external_id: 'tea',
        tags: ['food'],
        metadata: {},
        session_id: null,
        role: null,
        pin: false,
        namespace: null,
        public: false,
        occurred_at: '2026-11-18T21:20:46.148Z',
        expires_at: null,
        recorded_at: '2026-11-18T21:20:46.148Z',
        updated_at: '2026-11-18T21:20:46.148Z',
        trust: 'user',
        origin: {
          surface: 'api',
          author: 'me',
        },
      },
      origin: {
        surface: 'api',
        author: 'me',
      },
      history: [
        {
          at: '2026-11-18T21:20:46.651Z',
          change: 'written',
          surface: 'api',
          operation: 'memory.remember',
          user_id: 'me',
          service_id: null,
        },
      ],
    },
  },
  'memory.update': {
    params: {
      id: '01a1f088-9844-7fd5-90b2-af71453452d5',
    },
    headers: {
      'if-match': '*',
    },
    body: {
      content: 'I take my tea with lemon.',
    },
    response: {
      memory: {
        id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        content: 'I take my tea with lemon.',
        kind: 'note',
        external_id: 'tea',
        tags: ['food'],
        metadata: {},
        session_id: null,
        role: null,
        pin: false,
        namespace: null,
        public: false,
        occurred_at: '2026-11-18T21:20:46.148Z',
        expires_at: null,
        recorded_at: '2026-11-18T21:20:46.148Z',
        updated_at: '2026-11-18T21:20:47.989Z',
        trust: 'user',
        origin: {
          surface: 'api',
          author: 'me',
        },
      },
    },
  },
  'memory.forget': {
    params: {
      id: '01a1f088-9844-7fd5-90b2-af71453452d5',
    },
  },
};
