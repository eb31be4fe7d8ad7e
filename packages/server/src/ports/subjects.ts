import type { Trust } from './memory-origin.js';

/** What a name means from a moment on. Never changes: a later row of the same name takes its place. */
export interface SubjectName {
  /** Number of the merge or split, counted together with the changes of the user's facts. */
  seq: number;
  nameKey: string;
  name: string;
  /** The name it was merged with; null if it is a subject of its own. */
  parentKey: string | null;
  /** The subject that it means. */
  subjectKey: string;
  subject: string;
  /** moved: a name that it was merged with before was merged or split. */
  change: 'merged' | 'split' | 'moved';
  at: Date;
  /** Of the one who merged or split. */
  trust: Trust;
  /** Number of the merge that a split took back. */
  undoes: number | null;
}

/** A subject with all its names. */
export interface SubjectGroup {
  key: string;
  /** Undefined if nothing is known about a subject of this name. */
  name: string | undefined;
  /** Names other than the subject's own, in the order of their keys. */
  aliases: SubjectName[];
}

export interface SubjectSummary {
  key: string;
  name: string;
  aliases: SubjectName[];
  /** Facts that had begun by then. */
  facts: number;
  /** Those of them that were not over by then. */
  current: number;
}

/** The subjects of the transaction's user. `knownAt` is the latest change to take into account; null for all. */
export interface Subjects {
  /** Returns the keys of the subjects that names mean now, by the keys of the names. */
  keysOf(nameKeys: readonly string[]): Promise<Map<string, string>>;
  /** Returns the subject that a name means. */
  find(nameKey: string, knownAt: Date | null): Promise<SubjectGroup>;
  /** Returns subjects with facts that had begun at `asOf` and are not retracted, in the order of their keys. */
  list(asOf: Date, page: { knownAt: Date | null; after: string | undefined; limit: number }): Promise<SubjectSummary[]>;
  /** Returns the number of the last merge of a name with another. */
  lastMerge(nameKey: string): Promise<number | undefined>;
  /** Queued. */
  add(names: readonly SubjectName[]): void;
}
