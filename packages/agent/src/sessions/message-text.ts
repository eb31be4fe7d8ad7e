import type { ModelMessage } from 'ai';
import type { SessionEvent } from './session-store.js';

/** Returns the message of an event if models may see it, or undefined. */
export function messageOf({ type, context_visible, payload }: SessionEvent): ModelMessage | undefined {
  const isMessage = typeof payload === 'object' && payload !== null && 'role' in payload && 'content' in payload;
  return type === 'message' && context_visible && isMessage ? (payload as unknown as ModelMessage) : undefined;
}

/** Returns the text of a message, without tool calls, files and reasoning. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
