import type { RouteExample } from '../../../http/route.js';

export const semanticExamples: Readonly<Record<string, RouteExample>> = {
  'semantic.store': {
    body: {
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      tags: ['tools'],
    },
    response: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
      tenant_id: 'default',
      user_id: 'me',
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      is_public: false,
      metadata: {},
      tags: ['tools'],
      source: null,
      plan_id: null,
      session_id: null,
      content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
      created_at: '2026-11-18T21:20:49.412Z',
      updated_at: '2026-11-18T21:20:49.412Z',
    },
  },
  'semantic.list': {
    query: {
      limit: 20,
    },
    response: {
      entries: [
        {
          id: '01a1f088-a504-79fc-b486-453f2e1c2465',
          tenant_id: 'default',
          user_id: 'me',
          content: 'Docker runs containers.',
          external_id: 'doc-1',
          is_public: false,
          metadata: {},
          tags: ['tools'],
          source: null,
          plan_id: null,
          session_id: null,
          content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
          created_at: '2026-11-18T21:20:49.412Z',
          updated_at: '2026-11-18T21:20:49.412Z',
        },
      ],
      count: 1,
    },
  },
  'semantic.deleteMany': {
    query: {
      tag: 'tools',
    },
    response: {
      deleted_count: 0,
    },
  },
  'semantic.query': {
    body: {
      query: 'container platforms',
      top_k: 5,
    },
    response: {
      entries: [
        {
          id: '01a1f088-a504-79fc-b486-453f2e1c2465',
          tenant_id: 'default',
          user_id: 'me',
          content: 'Docker runs containers.',
          external_id: 'doc-1',
          is_public: false,
          metadata: {},
          tags: ['tools'],
          source: null,
          plan_id: null,
          session_id: null,
          content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
          created_at: '2026-11-18T21:20:49.412Z',
          updated_at: '2026-11-18T21:20:49.412Z',
          score: 0.10135323543927666,
        },
      ],
      count: 1,
    },
  },
  'semantic.find': {
    query: {
      q: 'container platforms',
    },
    response: {
      entries: [
        {
          id: '01a1f088-a504-79fc-b486-453f2e1c2465',
          tenant_id: 'default',
          user_id: 'me',
          content: 'Docker runs containers.',
          external_id: 'doc-1',
          is_public: false,
          metadata: {},
          tags: ['tools'],
          source: null,
          plan_id: null,
          session_id: null,
          content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
          created_at: '2026-11-18T21:20:49.412Z',
          updated_at: '2026-11-18T21:20:49.412Z',
          score: 0.10135323543927666,
        },
      ],
      count: 1,
    },
  },
  'semantic.byExternalId': {
    query: {
      external_id: 'doc-1',
    },
    response: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
      tenant_id: 'default',
      user_id: 'me',
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      is_public: false,
      metadata: {},
      tags: ['tools'],
      source: null,
      plan_id: null,
      session_id: null,
      content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
      created_at: '2026-11-18T21:20:49.412Z',
      updated_at: '2026-11-18T21:20:49.412Z',
    },
  },
  'semantic.deleteByExternalId': {
    query: {
      external_id: 'doc-1',
    },
  },
  'semantic.get': {
    params: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
    },
    response: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
      tenant_id: 'default',
      user_id: 'me',
      content: 'Docker runs containers.',
      external_id: 'doc-1',
      is_public: false,
      metadata: {},
      tags: ['tools'],
      source: null,
      plan_id: null,
      session_id: null,
      content_hash: 'bb72d46e187e70aa9dc194bb77073fbe2253e4e62e26adff0794a06d5bf3100c',
      created_at: '2026-11-18T21:20:49.412Z',
      updated_at: '2026-11-18T21:20:49.412Z',
    },
  },
  'semantic.delete': {
    params: {
      id: '01a1f088-a504-79fc-b486-453f2e1c2465',
    },
  },
};
