import type { ModelMessage } from 'ai';
import type { SessionEvent } from './session-store.js';

/** The message that an event holds, if it is one that models may see. */
export function messageOf({ type, context_visible, payload }: SessionEvent): ModelMessage | undefined {
  return type === 'message' && context_visible ? (payload as unknown as ModelMessage) : undefined;
}

/** What was said in a message, without tool calls, files and reasoning. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
