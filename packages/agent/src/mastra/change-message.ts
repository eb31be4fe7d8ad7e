import type { MastraMessage } from './mastra-types.js';

export type MessageChange = Partial<Omit<MastraMessage, 'createdAt'>> & { id: string };

/** Members of the content replace earlier ones, and members of its metadata, too. */
export function changeMessage(message: MastraMessage, { content, ...change }: MessageChange): MastraMessage {
  if (content === undefined) return { ...message, ...change };
  const metadata = { ...message.content?.metadata, ...content.metadata };
  const merged = typeof content === 'object' ? { ...message.content, ...content } : content;
  return {
    ...message,
    ...change,
    content: Object.keys(metadata).length === 0 ? merged : { ...merged, metadata },
  };
}
