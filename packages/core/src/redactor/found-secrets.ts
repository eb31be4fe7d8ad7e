import type { SecretLabel } from './secret-label.js';

/** The number of secrets found per label. Labels that were not found are absent. */
export type FoundSecrets = Partial<Record<SecretLabel, number>>;

/** Adds the counts of one text to a total. */
export function addFound(total: FoundSecrets, found: FoundSecrets): void {
  for (const [label, count] of Object.entries(found) as [keyof FoundSecrets, number][]) {
    total[label] = (total[label] ?? 0) + count;
  }
}
