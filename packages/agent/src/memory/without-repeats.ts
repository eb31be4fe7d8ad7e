import { redact } from '@memhall/core';
import type { MemoryReference } from '../gateway/memory-reference.js';

interface Conversation {
  /** Session of the conversation in the gateway. */
  gatewaySession: string;
  /** The texts of its messages as the model sees them. */
  shown: readonly string[];
}

const endOfSentence = /(?<=[.!?…。！？])\s+|\n+/u;

/**
 * Leaves out references that only repeat what the model sees: a message, a sentence of one, or its visible beginning or
 * end if it was split when it was stored. A piece of a file is kept: where it is written may matter.
 */
export function withoutRepeats(
  references: readonly MemoryReference[],
  { gatewaySession, shown }: Conversation,
): MemoryReference[] {
  const stored = shown.map(asStored);
  const texts = stored.map(comparable);
  const said = new Set([...texts, ...stored.flatMap((text) => text.split(endOfSentence).map(comparable))]);
  return references.filter(({ text, resource_uri, session_id }) => {
    if (resource_uri !== undefined) return true;
    const recalled = comparable(asStored(text));
    if (said.has(recalled)) return false;
    if (session_id !== gatewaySession) return true;
    return !texts.some((whole) => whole.startsWith(recalled) || whole.endsWith(recalled));
  });
}

/** A gateway stores texts in NFC and without secrets. */
function asStored(text: string): string {
  return redact(text.normalize('NFC')).text;
}

/** Facts are stored without the mark at the end of their sentence. */
function comparable(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.!?…。！？]$/u, '');
}
