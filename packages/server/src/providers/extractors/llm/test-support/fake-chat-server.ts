import type { ServerResponse } from 'node:http';
import { answerJson, FakeOpenAiServer, type Interceptor } from '../../../test-support/fake-openai-server.js';
import type { Answer } from '../answer.js';

interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  max_tokens?: number;
  max_completion_tokens?: number;
  response_format?: { type: string; json_schema?: { strict: boolean; schema: object } };
}

export type ChatInterceptor = Interceptor<ChatRequest>;

/** The document that a request shows to the model. */
interface ShownDocument {
  known: { kind: string; text: string }[];
  attributes: string[];
  messages: { number: number; from: string; text: string }[];
}

/** By default, a model that finds everything the user says worth remembering. */
export class FakeChatServer extends FakeOpenAiServer<ChatRequest> {
  protected answer(body: ChatRequest, response: ServerResponse): void {
    complete(response, JSON.stringify(pickEverything(body)));
  }
}

/** Sends a completion with this content in OpenAI's format. */
export function complete(response: ServerResponse, content: string | null, choice = {}): true {
  return answerJson(response, 200, toCompletion([{ ...toChoice(content), ...choice }]));
}

export function toChoice(content: string | null) {
  const message = { role: 'assistant', content, refusal: null };
  return { index: 0, message, logprobs: null, finish_reason: 'stop' };
}

export function toCompletion(choices: object[]) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_750_000_000,
    model: 'test-model',
    choices,
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

export function documentOf({ messages }: ChatRequest): ShownDocument {
  return JSON.parse(messages.find(({ role }) => role === 'user')?.content ?? '') as ShownDocument;
}

function pickEverything(request: ChatRequest): Answer {
  const said = documentOf(request).messages.filter(({ from }) => from === 'user');
  return {
    facts: said.flatMap(({ number, text }) =>
      text.split(/(?<=[.!?])\s/u).map((sentence) => ({
        kind: 'preference' as const,
        text: sentence.slice(0, 300),
        messages: [number],
        confidence: 0.9,
        ...{ supersedes: null, subject: null, attribute: null, value: null },
      })),
    ),
    digest: { quotes: said.map(({ number, text }) => ({ message: number, text })), keywords: [] },
  };
}
