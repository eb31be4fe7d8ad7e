import type { Adapter, Owner } from '../adapter.js';
import type { Capability } from '../capabilities.js';
import type { HostSession } from '../hosts/host-session.js';
import type { StoredText } from '../place/search-stored.js';
import type { Random } from '../run/random.js';

export const areas = ['isolation', 'updates', 'durability', 'erasure', 'time', 'stale', 'poisoning', 'recall'] as const;
export type Area = (typeof areas)[number];

export interface CaseContext {
  adapter: Adapter;
  random: Random;
  /** Path of a data set for evidence recall. */
  data: string | undefined;
  /** How many conversations of the data set to use. */
  conversations: number;
  /** Starts a process with the system on the place of this case. Several may run at once if the system claims `processes`. */
  open(): Promise<HostSession>;
  /** Searches everything that the system has stored, row by row where the format is known. */
  searchRows(words: readonly string[]): Promise<StoredText[]>;
  /** Searches the bytes of all files. */
  searchFiles(words: readonly string[]): Promise<StoredText[]>;
  /** Remarks for the report, such as ids that the system refused. */
  note(text: string): void;
}

export interface Measure {
  name: string;
  /** From 0 to 1. */
  value: number;
}

export interface Case {
  id: `${Area}/${string}`;
  title: string;
  needs: readonly Capability[];
  /** Returns measures if the case is about how well, not whether. Throws `Finding` if the system does not keep its word. */
  run(context: CaseContext): Promise<readonly Measure[] | undefined>;
}

/** What was found wrong. */
export class Finding extends Error {}

/** The case cannot be run here, through no fault of the system. */
export class NotMeasured extends Error {}

export function expectNone(faults: readonly string[], what: string): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, 5).join('; ');
  throw new Finding(`${what}: ${shown}${faults.length > 5 ? `; and ${faults.length - 5} more` : ''}`);
}

export const somebody: Owner = { tenant: 'acme', user: 'ann' };
export const somebodyElse: Owner = { tenant: 'acme', user: 'bob' };

/** A sentence with a made-up word that only this memory has. */
export function sentenceWith(word: string): string {
  return `The code name of the project is ${word}.`;
}
