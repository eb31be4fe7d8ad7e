import { type OptionalLabel, Problem, redact, redactJson } from '@memhall/core';
import { memoryLimits } from '../memories/memory-input.js';
import type { NewMemory } from '../memories/new-memory.js';
import type { ContentTask } from '../read-long.js';

interface GivenMemories {
  inputs: readonly NewMemory[];
  /** What the tenant wants redacted in addition to secrets. */
  also: readonly OptionalLabel[];
}

/** Removes secrets from new memories of any kind. */
export function removeSecrets({ inputs, also }: GivenMemories): NewMemory[] {
  return inputs.map((input) => {
    const { content, metadata } = input;
    const text = typeof content === 'string' ? cleaned(content, also) : content;
    return { ...input, content: text, metadata: metadata && redactJson(metadata, also).value };
  });
}

/** What takes the place of a secret may be longer than the secret. */
function cleaned(content: string, also: readonly OptionalLabel[]): string {
  const { text } = redact(content, also);
  const { contentCharacters: most } = memoryLimits;
  if (content.length > most || text.length <= most) return text;
  throw new Problem(
    'INVALID_REQUEST',
    `"content" has more than ${most} characters once its secrets are replaced by [REDACTED:…]: split it, or leave them out.`,
  );
}

export const removeSecretsTask: ContentTask<GivenMemories, NewMemory[]> = {
  module: import.meta.url,
  run: removeSecrets,
};
