import type { RouteExample } from '../../http/route.js';

/** A call of each operation and its answer, as a server gave it. */
export const chatExamples: Readonly<Record<string, RouteExample>> = {
  'chat.models': { response: { models: [{ id: 'scripted', scripted: true }] } },
  'chat.reply': {
    body: { model: 'scripted', messages: [{ role: 'user', content: 'What do I take in my tea?' }] },
    response: {
      model: 'scripted',
      message: { role: 'assistant', content: 'I do not remember anything about that.' },
    },
  },
};
