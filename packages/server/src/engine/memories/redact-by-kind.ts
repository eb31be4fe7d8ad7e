import { addFound, type FoundSecrets, type Json, type OptionalLabel, redact, redactJson } from '@memhall/core';
import { kindOfMemory } from './kinds.js';

/** The free text of a memory. Names, tags and ids are not included: they are matched literally. */
export interface MemoryText {
  content: string;
  cue: string | null;
  metadata: { [key: string]: Json };
}

/**
 * Removes secrets, and what the tenant wants redacted too, if memories of this kind must not contain any. Call it before anything is
 * hashed or embedded.
 */
export function redactByKind(
  kind: string,
  text: MemoryText,
  also: readonly OptionalLabel[],
): { text: MemoryText; found: FoundSecrets } {
  if (kindOfMemory(kind)?.isRedacted !== true) return { text, found: {} };
  const content = redact(text.content, also);
  const cue = text.cue === null ? undefined : redact(text.cue, also);
  const metadata = redactJson(text.metadata, also);
  const found: FoundSecrets = {};
  for (const part of [content, cue, metadata]) if (part !== undefined) addFound(found, part.found);
  return { text: { content: content.text, cue: cue?.text ?? null, metadata: metadata.value }, found };
}
