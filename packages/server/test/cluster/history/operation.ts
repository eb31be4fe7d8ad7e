/**
 * What a client did to one object, and what it was told. Times are milliseconds of one clock. `done`: it took effect between the two
 * times. `refused`: it had no effect. `unknown`: no answer, or one that does not tell; it may take effect at any later time, or never.
 */
interface Occurrence {
  /** The same for every attempt to do one thing. */
  id: string;
  /** What it was done to, such as a value of a user. Objects are checked one by one. */
  object: string;
  client: string;
  outcome: 'done' | 'refused' | 'unknown';
  startedMs: number;
  endedMs: number;
}

/** A working value or a document; null: nothing is stored there. No two writes of a register write the same value, other than null. */
export type RegisterOperation = Occurrence & { model: 'register' } & (
    | { action: 'read'; value?: string | null }
    | { action: 'write'; value: string | null }
    /** Compare-and-set. Refused if the register holds another value. */
    | { action: 'swap'; expected: string | null; value: string }
  );

/** The memories of a user. */
export type SetOperation = Occurrence & { model: 'set' } & (
    | { action: 'add' | 'remove'; element: string }
    /** A recall shows some elements, a whole list (`isWhole`) all of them. */
    | { action: 'read'; elements?: string[]; isWhole: boolean }
  );

/** The audit log of a user: of each operation the records that it left, oldest first. */
export type ListOperation = Occurrence & { model: 'list' } & (
    | { action: 'append'; entry: string }
    | { action: 'read'; entries?: string[] }
  );

export type Operation = RegisterOperation | SetOperation | ListOperation;

export interface Fault {
  kind: 'lost write' | 'double write' | 'stale read' | 'foreign data' | 'wrong order' | 'undecided';
  object: string;
  detail: string;
}

/** The time from which on the effect of an operation can be relied on. */
export function settledMs({ outcome, endedMs }: Occurrence): number {
  return outcome === 'unknown' ? Number.POSITIVE_INFINITY : endedMs;
}
