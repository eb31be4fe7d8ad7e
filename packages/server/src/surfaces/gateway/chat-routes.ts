import { addMessages } from '../../engine/conversations/add-messages.js';
import { flushChat } from '../../engine/conversations/flush-chat.js';
import { defineRoute } from '../../http/route.js';
import { Added, addBody, Flushed, flushBody } from './gateway-schemas.js';
import type { GatewayServices } from './gateway-services.js';
import { toChatMessage } from './to-chat-message.js';
import { toPlace } from './to-place.js';

export const chatRoutes = [
  defineRoute({
    operation: 'gateway.add',
    method: 'POST',
    path: '/memories/add',
    summary: 'Add messages to the open episode of a session. Searches find them immediately.',
    access: 'key',
    request: { body: addBody },
    responses: { 200: { description: 'Stored', schema: Added } },
    problems: ['UNSUPPORTED_CONTENT', 'CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      const messages = body.messages.map(toChatMessage);
      const added = await addMessages(engine, caller, toPlace(body.session_id, body), messages);
      return { body: { message_count: added, status: 'accumulated' } };
    },
  }),
  defineRoute({
    operation: 'gateway.flush',
    method: 'POST',
    path: '/memories/flush',
    summary:
      'Close the open episode of a session. It becomes an event, and facts worth remembering are extracted from it.',
    access: 'key',
    request: { body: flushBody },
    responses: { 200: { description: 'The closed episodes', schema: Flushed } },
    problems: ['CONFLICT'],
    async handle({ engine }: GatewayServices, { caller, body }) {
      const { episodes, eventId } = await flushChat(engine, caller, toPlace(body.session_id, body));
      return {
        body: {
          status: episodes === 0 ? 'no_extraction' : 'extracted',
          episodes,
          ...(eventId === undefined ? {} : { digest_id: eventId }),
        },
      };
    },
  }),
];
