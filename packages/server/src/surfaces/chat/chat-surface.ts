import { Problem } from '@memhall/core';
import { Type } from 'typebox';
import { renderProblem } from '../../http/render-problem.js';
import { defineRoute } from '../../http/route.js';
import type { Surface } from '../../http/surface.js';
import type { ChatServices } from './chat-services.js';

const closed = { additionalProperties: false };
const maxMessages = 400;
const maxCharacters = 200_000;

const Models = Type.Object(
  {
    models: Type.Array(
      Type.Object({
        id: Type.String(),
        scripted: Type.Boolean({ description: 'Answers by rules, without a language model' }),
      }),
      { description: 'The first one is the default' },
    ),
  },
  { title: 'ChatModels' },
);

const replyBody = Type.Object(
  {
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Default: the first one listed' })),
    messages: Type.Array(
      Type.Object(
        {
          role: Type.Enum(['system', 'user', 'assistant']),
          content: Type.String({ minLength: 1, maxLength: maxCharacters }),
        },
        closed,
      ),
      { minItems: 1, maxItems: maxMessages },
    ),
  },
  closed,
);

const Reply = Type.Object(
  {
    model: Type.String(),
    message: Type.Object({ role: Type.Literal('assistant'), content: Type.String() }),
  },
  { title: 'ChatReply' },
);

/** A model to talk to. What it is shown of the memory, and what is remembered of the talk, is up to the caller. */
export const chatSurface: Surface<ChatServices> = {
  name: 'chat',
  title: 'Chat',
  description: 'A model to try memory with. It stores nothing: recall before a call, and remember after it.',
  loadExamples: async () => (await import('./chat-examples.js')).chatExamples,
  renderProblem,
  routes: [
    defineRoute({
      operation: 'chat.models',
      method: 'GET',
      path: '/v1/chat/models',
      summary: 'List the models to talk to.',
      access: 'user',
      request: {},
      responses: { 200: { description: 'The models', schema: Models } },
      async handle({ chatModels }: ChatServices) {
        return { body: { models: chatModels.map(({ id, isScripted }) => ({ id, scripted: isScripted })) } };
      },
    }),
    defineRoute({
      operation: 'chat.reply',
      method: 'POST',
      path: '/v1/chat',
      summary: 'Let a model answer the last message.',
      description:
        'Sends the messages as they are to the model of MEMHALL_CHAT_URL, or lets the scripted one answer. Reads and stores nothing.',
      access: 'user',
      waitsOutside: true,
      request: { body: replyBody },
      responses: { 200: { description: 'The answer', schema: Reply } },
      problems: ['NOT_FOUND', 'UNAVAILABLE'],
      async handle({ chatModels }: ChatServices, { body }) {
        const wanted = body.model ?? chatModels[0]?.id;
        const model = chatModels.find(({ id }) => id === wanted);
        if (model === undefined) throw new Problem('NOT_FOUND', `There is no model "${wanted}". List them first.`);
        const content = await model.reply(body.messages);
        return { body: { model: model.id, message: { role: 'assistant', content } } };
      },
    }),
  ],
};
