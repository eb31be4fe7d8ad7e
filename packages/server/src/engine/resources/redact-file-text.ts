import { type OptionalLabel, type Redaction, redact } from '@memhall/core';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { readLong } from '../read-long.js';

interface FileText {
  text: string;
  also: readonly OptionalLabel[];
}

/** Returns the text of a file without secrets. Call it before the text is cut: a piece may hold half of a secret. */
export async function redactFileText(engine: Engine, caller: Caller, text: string): Promise<string> {
  const input = { text, also: await engine.tenants.alsoRedacted(scopeOf(caller)) };
  const task = { module: import.meta.url, run: redactText };
  const { text: redacted, found } = await readLong(engine, task, input, text.length);
  engine.telemetry.countRedactions(found);
  return redacted;
}

export function redactText({ text, also }: FileText): Redaction {
  return redact(text, also);
}
