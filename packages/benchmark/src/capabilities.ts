/** What a system can promise. A case runs only if the system claims what the case needs. */
export const capabilities = {
  users: 'Keeps the memories of users apart.',
  tenants: 'Keeps tenants apart, also where their users have the same ids.',
  scopedIds: 'Nobody reads, changes or deletes the memory of another user by its id.',
  restart: 'What was acknowledged is on disk, and survives the end of the process.',
  processes: 'Several processes may write at the same time.',
  append: 'Has a way to add to a stored record without replacing it.',
  replace: 'Replaces the text of a memory.',
  forget: 'Deletes a memory.',
  forgetUser: 'Deletes everything of a user in one call.',
  compact: 'Has a way to remove deleted text from the files of its storage too.',
  questions: 'Finds memories by a question in plain words.',
  asOf: 'Says what was true at an earlier time.',
  knownAt: 'Says what was known at an earlier time.',
  supersedes: 'Notices by itself that a new statement replaces an earlier one.',
  provenance: 'Tells readers whether a memory is the word of the user or of somebody else.',
} as const;

export type Capability = keyof typeof capabilities;

export interface Claim {
  claimed: boolean;
  /**
   * Where the documentation says so. If it is not claimed: what the system does instead, in its own words. Shown in the report.
   */
  note: string;
}

export function claim(note: string): Claim {
  return { claimed: true, note };
}

export function noClaim(note: string): Claim {
  return { claimed: false, note };
}
