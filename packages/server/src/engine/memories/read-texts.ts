import type { FoundSecrets, OptionalLabel } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import type { ContentTask } from '../read-long.js';
import type { Language } from './analysis/language.js';
import { type TextForm, toTextForm } from './analysis/to-search-form.js';
import { type MemoryText, redactByKind } from './redact-by-kind.js';

/** The text of a new memory, before anything is removed from it. */
export interface GivenText extends MemoryText {
  kind: string;
  role: string | null;
}

export interface ReadText {
  text: MemoryText;
  /** Secrets that were removed. */
  found: FoundSecrets;
  form: TextForm;
}

interface GivenTexts {
  texts: readonly GivenText[];
  /** What the tenant wants redacted in addition to secrets. */
  also: readonly OptionalLabel[];
  language: Language;
}

/** Removes secrets from texts, and finds the words by which they are found. */
export function readTexts({ texts, also, language }: GivenTexts): ReadText[] {
  return texts.map(({ kind, role, ...given }) => {
    const { text, found } = redactByKind(kind, given, also);
    return { text, found, form: toTextForm({ ...text, role }, language) };
  });
}

export const readTextsTask: ContentTask<GivenTexts, ReadText[]> = { module: import.meta.url, run: readTexts };

interface StoredTexts {
  memories: readonly Pick<Memory, 'content' | 'cue' | 'role'>[];
  language: Language;
}

/** Finds the words by which stored texts are found. */
export function formTexts({ memories, language }: StoredTexts): TextForm[] {
  return memories.map((memory) => toTextForm(memory, language));
}

export const formTextsTask: ContentTask<StoredTexts, TextForm[]> = { module: import.meta.url, run: formTexts };

/** Counts the characters. */
export function sizeOfTexts(texts: readonly Pick<Memory, 'content'>[]): number {
  return texts.reduce((sum, { content }) => sum + content.length, 0);
}
