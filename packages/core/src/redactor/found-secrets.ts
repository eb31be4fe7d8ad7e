import type { SecretLabel } from './secret-label.js';

/** How many secrets of each label there were; labels that were not found are absent. */
export type FoundSecrets = Partial<Record<SecretLabel, number>>;

/** Adds what was found in one text to what was found in others. */
export function addFound(total: FoundSecrets, found: FoundSecrets): void {
  for (const [label, count] of Object.entries(found) as [keyof FoundSecrets, number][]) {
    total[label] = (total[label] ?? 0) + count;
  }
}
