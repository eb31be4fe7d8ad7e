import { type OptionalLabel, type Redaction, redact, type ScanVerdict, scanText } from '@memhall/core';
import type { ContentTask } from './read-long.js';

interface GivenText {
  text: string;
  /** Scanned before the secrets are redacted: they may be what the scanner recognizes. */
  scanned: readonly string[];
  also: readonly OptionalLabel[];
}

interface CheckedText {
  /** Why it must not be stored. */
  verdict: ScanVerdict | undefined;
  redaction: Redaction;
}

/** Scans what is about to be stored, and removes its secrets. */
export function checkText({ text, scanned, also }: GivenText): CheckedText {
  for (const one of new Set(scanned)) {
    const verdict = scanText(one);
    if (verdict !== undefined) return { verdict, redaction: { text: '', found: {} } };
  }
  return { verdict: undefined, redaction: redact(text, also) };
}

export const checkTextTask: ContentTask<GivenText, CheckedText> = { module: import.meta.url, run: checkText };
