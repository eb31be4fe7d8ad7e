import { redact } from '@memhall/core';
import type { MemoryReference } from '../gateway/memory-reference.js';

interface Conversation {
  /** Session of the conversation in the gateway. */
  gatewaySession: string;
  /** The texts of its messages as the model sees them. */
  shown: readonly string[];
}

/**
 * Leaves out references that only repeat a message which the model sees: the whole message, or its visible beginning or
 * end if it was split when it was stored. A piece of a file is kept: where it is written may matter.
 */
export function withoutRepeats(
  references: readonly MemoryReference[],
  { gatewaySession, shown }: Conversation,
): MemoryReference[] {
  const texts = shown.map(comparable);
  const messages = new Set(texts);
  return references.filter(({ text, resource_uri, session_id }) => {
    if (resource_uri !== undefined) return true;
    const said = comparable(text);
    if (messages.has(said)) return false;
    return session_id !== gatewaySession || !texts.some((whole) => whole.startsWith(said) || whole.endsWith(said));
  });
}

/** A gateway stores texts in NFC and without secrets. */
function comparable(text: string): string {
  return redact(text.normalize('NFC')).text.replace(/\s+/gu, ' ').trim();
}
