import type { Memory } from '../../../ports/memories.js';

/** Transcripts begin each message with who speaks. These are roles and not names. */
const prefix = /^\s*(user|human|assistant)[ \t]*:\s+(?=\S)/i;
const laterPerson = /\n\s*(?:user|human)[ \t]*:\s/i;
const machine = /^(?:assistant|ai|bot|model|tool)$/i;

/** Returns the text without `user: ` and the like at its start. */
export function withoutRole(text: string): string {
  return text.replace(prefix, '');
}

/** Returns whether an assistant says this or one of its tools, and no person. */
export function isByAssistant({ content, role }: Pick<Memory, 'content' | 'role'>): boolean {
  if (machine.test(role ?? '')) return true;
  return prefix.exec(content)?.[1]?.toLowerCase() === 'assistant' && !laterPerson.test(content);
}
