/** How much was taken back or restored. */
export interface RevertCounts {
  /** Users concerned. */
  users: number;
  memories: number;
  /** Facts that nobody else stated or gave evidence for. */
  facts: number;
  /** Facts that are current again, or otherwise as before. */
  restored: number;
  /** Versions of documents that were taken back. */
  patches: number;
  /** Versions that could not be taken back, because others changed the same place since. Each is an unresolved patch. */
  unresolved: number;
}

export const noCounts: RevertCounts = { users: 0, memories: 0, facts: 0, restored: 0, patches: 0, unresolved: 0 };

export function addCounts(one: RevertCounts, other: Partial<RevertCounts>): RevertCounts {
  const names = Object.keys(one) as (keyof RevertCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + (other[name] ?? 0)])) as unknown as RevertCounts;
}
