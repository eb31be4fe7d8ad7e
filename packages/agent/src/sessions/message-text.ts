import type { ModelMessage } from 'ai';
import type { SessionEvent } from './session-store.js';

/** Returns the message of an event if models may see it, or undefined. */
export function messageOf({ type, context_visible, payload }: SessionEvent): ModelMessage | undefined {
  return type === 'message' && context_visible ? (payload as unknown as ModelMessage) : undefined;
}

/** Returns the text of a message, without tool calls, files and reasoning. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
