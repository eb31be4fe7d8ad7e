import { addFound, type FoundSecrets, type Json, type OptionalLabel, redactValues } from '@memhall/core';
import type { ContentTask } from '../read-long.js';

/** A part of a document, and the member that it belongs to. */
export interface NamedValue {
  name: string;
  value: Json;
}

interface GivenValues {
  values: readonly NamedValue[];
  also: readonly OptionalLabel[];
}

export interface RedactedValues {
  values: Json[];
  found: FoundSecrets;
}

/** Replaces the secrets in values of a document. */
export function redactDocument({ values, also }: GivenValues): RedactedValues {
  const found: FoundSecrets = {};
  const redacted = values.map(({ name, value }) => {
    const redaction = redactValues(value, name, also);
    addFound(found, redaction.found);
    return redaction.value;
  });
  return { values: redacted, found };
}

export const redactDocumentTask: ContentTask<GivenValues, RedactedValues> = {
  module: import.meta.url,
  run: redactDocument,
};
