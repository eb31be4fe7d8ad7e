import { Problem } from '@memhall/core';
import type { ChatMessage } from '../../engine/conversations/add-messages.js';
import type { MessageBody } from './gateway-schemas.js';

export function toChatMessage(message: MessageBody, index: number): ChatMessage {
  return {
    id: message.id,
    senderId: message.sender_id,
    role: message.role,
    at: new Date(message.timestamp),
    content: toText(message.content, `messages.${index}.content`),
  };
}

function toText(content: MessageBody['content'], name: string): string {
  if (typeof content === 'string') return content;
  const texts = content.map((item, index) => {
    if (item.type !== 'text') {
      throw new Problem(
        'UNSUPPORTED_CONTENT',
        `"${name}.${index}" must be of type text. Other content is not supported.`,
      );
    }
    const { text } = item as { text?: unknown };
    if (typeof text !== 'string') {
      throw new Problem('INVALID_REQUEST', `"${name}.${index}.text" must be a string.`);
    }
    return text;
  });
  return texts.join('\n');
}
