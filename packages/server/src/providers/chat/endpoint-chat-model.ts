import { Problem } from '@memhall/core';
import type { ChatModel } from '../../ports/chat-model.js';
import { ServiceEndpoint, type ServiceFault } from '../service-endpoint.js';

interface EndpointChatModelOptions {
  /** Up to and including the version, as in `https://host/v1`. */
  baseUrl: string;
  model: string;
  apiKey: string | undefined;
  timeoutMs: number;
}

const maxAnswerBytes = 1024 * 1024;

/** A model behind any service with OpenAI's `POST /chat/completions`. No retries: a person waits, and can send again. */
export function endpointChatModel({ model, ...options }: EndpointChatModelOptions): ChatModel {
  const endpoint = new ServiceEndpoint({
    ...options,
    service: 'chat model',
    path: '/chat/completions',
    maxAnswerBytes,
    toError,
  });
  return {
    id: model,
    isScripted: false,
    async reply(messages) {
      const { signal } = new AbortController();
      const content = readContent(await endpoint.post(JSON.stringify({ model, messages }), signal));
      if (content === undefined)
        throw toError({ code: 'invalid-response', message: 'The chat model sent an answer without a text' });
      return content;
    },
  };
}

function readContent(text: string): string | undefined {
  try {
    const content: unknown = JSON.parse(text)?.choices?.[0]?.message?.content;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** The log has the cause. Callers do not learn where the service is. */
function toError({ code, message }: ServiceFault): Problem {
  const advice = code === 'rejected' ? 'Check the MEMHALL_CHAT settings.' : 'Try again later, or use the scripted one.';
  return new Problem('UNAVAILABLE', `The chat model did not answer. ${advice}`, { cause: new Error(message) });
}
