import { type OptionalLabel, redact, type ScanVerdict, scanText } from '@memhall/core';
import type { ContentTask } from '../read-long.js';

interface GivenTexts {
  texts: readonly string[];
  also: readonly OptionalLabel[];
}

interface CheckedText {
  /** Why it must not be stored. */
  verdict: ScanVerdict | undefined;
  hasSecrets: boolean;
}

/** Scans texts from outside, before their secrets are removed: they may be what the scanner recognizes. */
export function checkForeign({ texts, also }: GivenTexts): CheckedText[] {
  return texts.map((text) => ({ verdict: scanText(text), hasSecrets: redact(text, also).text !== text }));
}

export const checkForeignTask: ContentTask<GivenTexts, CheckedText[]> = { module: import.meta.url, run: checkForeign };
