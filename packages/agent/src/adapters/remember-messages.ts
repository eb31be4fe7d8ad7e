import type { MemoryBackend } from '../memory/memory-backend.js';
import { beginTurn, type TurnRequest } from './begin-turn.js';

/** A message as chat completion services take it. */
export interface ChatMessage {
  role: string;
  content?: unknown;
}

export interface MessagesRequest<M extends ChatMessage> extends Omit<TurnRequest, 'prompt'> {
  /** The conversation so far; its last user message is what is asked. */
  messages: readonly M[];
}

export interface RememberedMessages<M extends ChatMessage> {
  /** To be sent in place of the ones given; the ones given are what you keep. */
  messages: (M | { role: 'system' | 'user'; content: string })[];
  /** Call it once with the final answer, and not at all if there is none. */
  complete(answer: string): Promise<void>;
}

/**
 * Puts what is remembered into a list of messages: rules and curated notes as a system message after those there are, then
 * recalled memories. Without a user message nothing is recalled, and nothing remembered.
 */
export async function rememberMessages<M extends ChatMessage>(
  memory: MemoryBackend,
  { messages, ...request }: MessagesRequest<M>,
): Promise<RememberedMessages<M>> {
  const prompt = contentText(messages.findLast(({ role }) => role === 'user')?.content);
  if (prompt.trim() === '') return { messages: [...messages], async complete() {} };
  const { system, reference, complete } = await beginTurn(memory, { ...request, prompt });
  const from = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  return {
    messages: [
      ...messages.slice(0, from),
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...(reference === undefined ? [] : [{ role: 'user' as const, content: reference }]),
      ...messages.slice(from),
    ],
    complete,
  };
}

/** A string, or the texts among the parts of a message. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}
