import type { FactProposal } from '../answer.js';
import { type ChatInterceptor, complete } from './fake-chat-server.js';

export function fact(text: string, messages: number[], more: Partial<FactProposal> = {}): FactProposal {
  const none = { supersedes: null, subject: null, attribute: null, value: null };
  return { kind: 'identity', text, messages, confidence: 0.9, ...none, ...more };
}

/** An answer of the right form with any content. */
export function proposing(facts: unknown[], digest: unknown = { quotes: [], keywords: [] }): ChatInterceptor {
  return (_, response) => complete(response, JSON.stringify({ facts, digest }));
}
