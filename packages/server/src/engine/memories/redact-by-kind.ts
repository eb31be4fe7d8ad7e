import { addFound, type FoundSecrets, type Json, redact, redactJson } from '@memhall/core';
import { kindOfMemory } from './kinds.js';

/** What of a memory is free text. Names, tags and ids are not: they are matched as they are. */
interface MemoryText {
  content: string;
  cue: string | null;
  metadata: { [key: string]: Json };
}

/** The same without secrets, if memories of this kind must not keep any. Comes before anything is hashed or embedded. */
export function redactByKind(kind: string, text: MemoryText): { text: MemoryText; found: FoundSecrets } {
  if (kindOfMemory(kind)?.isRedacted !== true) return { text, found: {} };
  const content = redact(text.content);
  const cue = text.cue === null ? undefined : redact(text.cue);
  const metadata = redactJson(text.metadata);
  const found: FoundSecrets = {};
  for (const part of [content, cue, metadata]) if (part !== undefined) addFound(found, part.found);
  return { text: { content: content.text, cue: cue?.text ?? null, metadata: metadata.value }, found };
}
