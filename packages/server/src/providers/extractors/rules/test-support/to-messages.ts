import type { ConversationMessage } from '../../../../ports/extractor.js';

/** Lines of a conversation: `A: ` is the assistant, all else the user. A Wednesday. */
export function toMessages(lines: readonly string[], timestamp = '2025-03-12T09:00:00Z'): ConversationMessage[] {
  return lines.map((line, index) => ({
    id: `m${index + 1}`,
    role: line.startsWith('A: ') ? 'assistant' : 'user',
    content: line.replace(/^A: /, ''),
    timestamp,
  }));
}
