import type { RouteExample } from '../../../http/route.js';

export const offTheRecordExamples: Readonly<Record<string, RouteExample>> = {
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
};
