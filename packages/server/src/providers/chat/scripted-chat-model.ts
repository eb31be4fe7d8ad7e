import type { ChatMessage, ChatModel } from '../../ports/chat-model.js';

/** As `@memhall/agent` shows recalled memories to a model: one JSON object per line. */
const recalled = /<recalled_memory>\n([\s\S]*)\n<\/recalled_memory>/;
const question =
  /\?\s*$|^\s*(who|what|when|where|which|why|how|do|does|did|is|are|was|were|can|could|will|have|has)\b/i;
const mostNamed = 3;

interface Reference {
  from?: string;
  text: string;
  note?: string;
}

/** Says what it finds in the memories that it is shown. It needs no language model, and always gives the same answer. */
export const scriptedChatModel: ChatModel = {
  id: 'scripted',
  isScripted: true,
  async reply(messages) {
    const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const known = messages.flatMap(readReferences);
    if (!question.test(prompt)) return 'Noted.';
    if (known.length === 0) return 'I do not remember anything about that.';
    return ['I remember:', ...known.slice(0, mostNamed).map(sayReference)].join('\n');
  },
};

function readReferences({ content }: ChatMessage): Reference[] {
  const lines = recalled.exec(content)?.[1]?.split('\n') ?? [];
  return lines.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
        ? [value as Reference]
        : [];
    } catch {
      return [];
    }
  });
}

function sayReference({ text, from, note }: Reference): string {
  const more = [from, note].filter((part) => part !== undefined);
  return `- “${text}”${more.length === 0 ? '' : ` (${more.join('; ')})`}`;
}
