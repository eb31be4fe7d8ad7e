import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const oneMemoryExamples: Readonly<Record<string, RouteExample>> = {
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
  'facts.list': {
    query: {
      subject: 'me',
    },
    response: {
      facts: [
        {
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
          subject: 'me',
          attribute: 'employer',
          value: 'Acme',
          text: 'me: employer Acme',
          valid_from: '2026-11-18T21:20:48.029Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.029Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
        {
          id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
          subject: 'me',
          attribute: 'lives in',
          value: 'Oslo',
          text: 'me: lives in Oslo',
          valid_from: '2026-11-18T21:20:47.049Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:47.069Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: ['01a1f088-9bc9-7c13-a030-0dd1a9e51a94'],
        },
      ],
    },
  },
  'facts.put': {
    body: {
      subject: 'me',
      attribute: 'employer',
      value: 'Acme',
    },
    response: {
      fact: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme',
        text: 'me: employer Acme',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: null,
        confidence: 1,
        trust: 'user',
        status: 'current',
        evidence: [],
      },
    },
  },
  'facts.get': {
    params: {
      fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
    },
    response: {
      fact: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme',
        text: 'me: employer Acme',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: null,
        confidence: 1,
        trust: 'user',
        status: 'current',
        evidence: [],
      },
      evidence: [],
      supersedes: [],
      history: [
        {
          at: '2026-11-18T21:20:48.029Z',
          change: 'recorded',
          reason: 'believed',
          note: null,
          cause: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
      ],
    },
  },
  'facts.retract': {
    params: {
      fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
    },
    body: {},
    response: {
      fact: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme',
        text: 'me: employer Acme',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: '2026-11-18T21:20:48.166Z',
        confidence: 1,
        trust: 'user',
        status: 'retracted',
        evidence: [],
      },
    },
  },
  'facts.correct': {
    params: {
      fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
    },
    body: {
      value: 'Acme Norway',
      reason: 'She told us.',
    },
    response: {
      fact: {
        id: '01a1f088-a0f1-7a06-8e3c-5ee5d5dc2b4e',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme Norway',
        text: 'me: employer Acme Norway',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: null,
        confidence: 1,
        trust: 'user',
        status: 'current',
        evidence: [],
      },
      retracted: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme',
        text: 'me: employer Acme',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: '2026-11-18T21:20:48.166Z',
        confidence: 1,
        trust: 'user',
        status: 'retracted',
        evidence: [],
      },
    },
  },
  'facts.confirm': {
    params: {
      fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
    },
    body: {},
    response: {
      fact: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme',
        text: 'me: employer Acme',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: null,
        confidence: 1,
        trust: 'user',
        status: 'current',
        evidence: [],
      },
    },
  },
  'facts.reject': {
    params: {
      fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
    },
    body: {},
    response: {
      fact: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'home',
        value: 'Bergen',
        text: 'me: home Bergen',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: '2026-11-18T21:20:48.166Z',
        confidence: 0.4,
        trust: 'user',
        status: 'retracted',
        evidence: [],
      },
    },
  },
  'facts.undo': {
    params: {
      fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
    },
    body: {},
    response: {
      fact: {
        id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        subject: 'me',
        attribute: 'employer',
        value: 'Acme',
        text: 'me: employer Acme',
        valid_from: '2026-11-18T21:20:48.029Z',
        valid_to: null,
        recorded_at: '2026-11-18T21:20:48.029Z',
        retracted_at: null,
        confidence: 1,
        trust: 'user',
        status: 'current',
        evidence: [],
      },
    },
  },
  'subjects.list': {
    response: {
      subjects: [
        {
          subject: 'me',
          aliases: [],
          facts: 2,
          current: 2,
        },
      ],
    },
  },
  'subjects.get': {
    params: {
      subject: 'me',
    },
    response: {
      subject: 'me',
      aliases: [],
      facts: [
        {
          id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
          subject: 'me',
          attribute: 'lives in',
          value: 'Oslo',
          text: 'me: lives in Oslo',
          valid_from: '2026-11-18T21:20:47.049Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:47.069Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: ['01a1f088-9bc9-7c13-a030-0dd1a9e51a94'],
        },
        {
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
          subject: 'me',
          attribute: 'employer',
          value: 'Acme',
          text: 'me: employer Acme',
          valid_from: '2026-11-18T21:20:48.029Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.029Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
      ],
      timeline: [
        {
          at: '2026-11-18T21:20:47.049Z',
          event: 'began',
          fact_id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
          attribute: 'lives in',
          value: 'Oslo',
          text: 'me: lives in Oslo',
          trust: 'user',
          evidence: ['01a1f088-9bc9-7c13-a030-0dd1a9e51a94'],
        },
        {
          at: '2026-11-18T21:20:48.029Z',
          event: 'began',
          fact_id: '01a1f088-9f9d-7122-a740-93c541750e6b',
          attribute: 'employer',
          value: 'Acme',
          text: 'me: employer Acme',
          trust: 'user',
          evidence: [],
        },
      ],
      sources: [
        {
          id: '01a1f088-9bc9-7c13-a030-0dd1a9e51a94',
          text: 'I live in Oslo.',
          kind: 'note',
          occurred_at: '2026-11-18T21:20:47.049Z',
          recorded_at: '2026-11-18T21:20:47.049Z',
          trust: 'user',
          facts: ['01a1f088-9bdd-73c8-93b1-0486110a9d80'],
        },
      ],
      shortened: false,
    },
  },
  'subjects.merge': {
    params: {
      subject: 'Anna',
    },
    body: {
      with: 'Anna Berg',
    },
    response: {
      subject: 'Anna',
      aliases: ['Anna Berg'],
      facts: [
        {
          id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          subject: 'Anna',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          valid_from: '2026-11-18T21:20:48.629Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.629Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
      ],
      timeline: [
        {
          at: '2026-11-18T21:20:48.629Z',
          event: 'began',
          fact_id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          trust: 'user',
          evidence: [],
        },
      ],
      sources: [],
      shortened: false,
    },
  },
  'subjects.split': {
    params: {
      subject: 'Anna',
    },
    body: {
      alias: 'Anna Berg',
    },
    response: {
      subject: 'Anna',
      aliases: [],
      facts: [
        {
          id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          subject: 'Anna',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          valid_from: '2026-11-18T21:20:48.629Z',
          valid_to: null,
          recorded_at: '2026-11-18T21:20:48.629Z',
          retracted_at: null,
          confidence: 1,
          trust: 'user',
          status: 'current',
          evidence: [],
        },
      ],
      timeline: [
        {
          at: '2026-11-18T21:20:48.629Z',
          event: 'began',
          fact_id: '01a1f088-a1f5-7d7e-881d-b8b5dc18fa1f',
          attribute: 'home',
          value: 'Bergen',
          text: 'Anna: home Bergen',
          trust: 'user',
          evidence: [],
        },
      ],
      sources: [],
      shortened: false,
    },
  },
  'offTheRecord.start': {
    params: {
      session_id: 'chat-7',
    },
    body: {},
    response: {
      session_id: 'chat-7',
      off_the_record: true,
      started_at: '2026-11-18T21:20:48.516Z',
      until: null,
    },
  },
  'offTheRecord.get': {
    params: {
      session_id: 'chat-7',
    },
    response: {
      session_id: 'chat-7',
      off_the_record: true,
      started_at: '2026-11-18T21:20:48.516Z',
      until: null,
    },
  },
  'offTheRecord.end': {
    params: {
      session_id: 'chat-7',
    },
  },
  'offTheRecord.list': {
    response: {
      sessions: [
        {
          session_id: 'chat-7',
          off_the_record: true,
          started_at: '2026-11-18T21:20:48.516Z',
          until: null,
        },
      ],
    },
  },
  'changes.list': {
    query: {
      limit: 20,
    },
    response: {
      changes: [
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCIxIl1dXQ',
          at: '2026-11-18T21:20:46.651Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCIyIl1dXQ',
          at: '2026-11-18T21:20:47.069Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-9bc9-7c13-a030-0dd1a9e51a94',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCIzIl1dXQ',
          at: '2026-11-18T21:20:47.069Z',
          operation: 'memory.remember',
          kind: 'fact',
          id: '01a1f088-9bdd-73c8-93b1-0486110a9d80',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI0Il1dXQ',
          at: '2026-11-18T21:20:47.989Z',
          operation: 'memory.update',
          kind: 'note',
          id: '01a1f088-9844-7fd5-90b2-af71453452d5',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI1Il1dXQ',
          at: '2026-11-18T21:20:48.029Z',
          operation: 'facts.put',
          kind: 'fact',
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI2Il1dXQ',
          at: '2026-11-18T21:20:48.166Z',
          operation: 'facts.retract',
          kind: 'fact',
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI3Il1dXQ',
          at: '2026-11-18T21:20:48.208Z',
          operation: 'facts.undo',
          kind: 'fact',
          id: '01a1f088-9f9d-7122-a740-93c541750e6b',
        },
        {
          cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI4Il1dXQ',
          at: '2026-11-18T21:20:48.261Z',
          operation: 'memory.remember',
          kind: 'note',
          id: '01a1f088-a084-72d2-8580-cc4bbf773f03',
        },
      ],
      next_cursor: 'WyIyMDI2LTExLTE4VDIxOjIwOjQ4LjM4N1oiLFtbInU6bWUiLCI4Il1dXQ',
    },
  },
  'users.getSettings': {
    response: {
      user_id: 'me',
      time_zone: 'UTC',
    },
  },
  'users.putSettings': {
    body: {
      time_zone: 'Europe/Oslo',
    },
    response: {
      user_id: 'me',
      time_zone: 'Europe/Oslo',
    },
  },
  'attributes.get': {
    params: {
      tenant_id: 'default',
      name: 'shoe_size',
    },
    response: {
      name: 'shoe_size',
      single: true,
      ends_alone: true,
      synonyms: ['shoe size'],
      patterns: [],
    },
  },
  'attributes.put': {
    params: {
      tenant_id: 'default',
      name: 'shoe_size',
    },
    body: {
      single: true,
      synonyms: ['shoe size'],
    },
    response: {
      name: 'shoe_size',
      single: true,
      ends_alone: true,
      synonyms: ['shoe size'],
      patterns: [],
    },
  },
  'sources.revert': {
    params: {
      tenant_id: 'default',
    },
    body: {
      filter: {
        author: 'me',
        surface: 'api',
      },
      dry_run: false,
    },
    response: {
      revert_id: '01a1f088-a2c1-7136-b8a7-297732ce33f8',
      dry_run: false,
      counts: {
        users: 1,
        memories: 3,
        facts: 3,
        restored: 0,
        patches: 0,
        unresolved: 0,
      },
    },
  },
  'sources.list': {
    params: {
      tenant_id: 'default',
    },
    response: {
      reverts: [
        {
          revert_id: '01a1f088-a2c1-7136-b8a7-297732ce33f8',
          at: '2026-11-18T21:20:48.833Z',
          purge_at: '2026-12-18T21:20:48.833Z',
          users: 1,
          memories: 3,
          facts: 3,
        },
      ],
    },
  },
  'sources.undo': {
    params: {
      tenant_id: 'default',
      revert_id: '01a1f088-a2c1-7136-b8a7-297732ce33f8',
    },
    response: {
      counts: {
        users: 1,
        memories: 3,
        facts: 3,
        restored: 0,
        patches: 0,
        unresolved: 0,
      },
    },
  },
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
