import { addFound, type FoundSecrets, type Json, redact, redactJson } from '@memhall/core';
import { kindOfMemory } from './kinds.js';

/** The free text of a memory. Names, tags and ids are not included: they are matched literally. */
interface MemoryText {
  content: string;
  cue: string | null;
  metadata: { [key: string]: Json };
}

/** Removes secrets if memories of this kind must not contain any. Call it before anything is hashed or embedded. */
export function redactByKind(kind: string, text: MemoryText): { text: MemoryText; found: FoundSecrets } {
  if (kindOfMemory(kind)?.isRedacted !== true) return { text, found: {} };
  const content = redact(text.content);
  const cue = text.cue === null ? undefined : redact(text.cue);
  const metadata = redactJson(text.metadata);
  const found: FoundSecrets = {};
  for (const part of [content, cue, metadata]) if (part !== undefined) addFound(found, part.found);
  return { text: { content: content.text, cue: cue?.text ?? null, metadata: metadata.value }, found };
}
