import { type OptionalLabel, redact, redactJson } from '@memhall/core';
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
    const text = typeof content === 'string' ? redact(content, also).text : content;
    return { ...input, content: text, metadata: metadata && redactJson(metadata, also).value };
  });
}

export const removeSecretsTask: ContentTask<GivenMemories, NewMemory[]> = {
  module: import.meta.url,
  run: removeSecrets,
};
