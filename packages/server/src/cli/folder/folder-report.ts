/** What happened to a file. Those in `troubles` wait for somebody. */
export const outcomes = [
  'created',
  'updated',
  'deleted',
  'merged',
  'stored',
  'removed',
  'kept',
  'conflict',
  'refused',
] as const;
type Outcome = (typeof outcomes)[number];

export interface FileReport {
  name: string;
  outcome: Outcome;
  note?: string;
}

const troubles: readonly Outcome[] = ['conflict', 'refused'];

export function isTrouble({ outcome }: FileReport): boolean {
  return troubles.includes(outcome);
}

export function sayReport({ name, outcome, note }: FileReport): string {
  return `${outcome.padEnd(9)}${name}${note === undefined ? '' : `: ${note}`}`;
}
