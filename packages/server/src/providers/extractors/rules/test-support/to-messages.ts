import type { ConversationMessage } from '../../../../ports/extractor.js';

/**
 * Converts lines to messages: `A: ` marks the assistant, everything else is the user. The default day is a Wednesday.
 */
export function toMessages(lines: readonly string[], timestamp = '2025-03-12T09:00:00Z'): ConversationMessage[] {
  return lines.map((line, index) => ({
    id: `m${index + 1}`,
    role: line.startsWith('A: ') ? 'assistant' : 'user',
    content: line.replace(/^A: /, ''),
    timestamp,
  }));
}
