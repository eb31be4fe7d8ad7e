import type { MemoryBackend } from '../memory/memory-backend.js';
import { beginTurn, type TurnRequest } from './begin-turn.js';

/** A message in the format of chat completion services. */
export interface ChatMessage {
  role: string;
  content?: unknown;
}

export interface MessagesRequest<M extends ChatMessage> extends Omit<TurnRequest, 'prompt' | 'shown'> {
  /** The conversation so far. Its last user message is the prompt. */
  messages: readonly M[];
}

export interface RememberedMessages<M extends ChatMessage> {
  /** Send these instead of the given messages, but store only the given ones. */
  messages: (M | { role: 'system' | 'user'; content: string })[];
  /** Call this once with the final answer. Do not call it if there is no answer. */
  complete(answer: string): Promise<void>;
}

/**
 * Adds memory to a list of messages: rules and curated notes as a system message after the existing ones, then the
 * recalled memories. Without a user message, nothing is recalled or remembered.
 */
export async function rememberMessages<M extends ChatMessage>(
  memory: MemoryBackend,
  { messages, ...request }: MessagesRequest<M>,
): Promise<RememberedMessages<M>> {
  const position = messages.findLastIndex(({ role }) => role === 'user');
  const prompt = contentText(messages[position]?.content);
  if (prompt.trim() === '') return { messages: [...messages], async complete() {} };
  const shown = spokenTexts(messages.slice(0, position));
  const { system, reference, complete } = await beginTurn(memory, { ...request, prompt, shown });
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

/** Returns the texts of users and assistants. */
export function spokenTexts(messages: readonly ChatMessage[]): string[] {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  return spoken.map(({ content }) => contentText(content)).filter((text) => text !== '');
}

/** Returns the content if it is a string, or else the text parts of the message. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part) => (part?.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');
}
