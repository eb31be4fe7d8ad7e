import type { Turn } from './hook-event.js';

/** Something that was said, as it is to be stored. */
export interface SaidTurn extends Turn {
  session: string;
  externalId: string;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
}

export interface RecalledText {
  text: string;
  role: string | undefined;
  at: Date;
}

/** Something that is decided about a project. */
export interface ProjectFact {
  attribute: string;
  value: string;
  since: Date;
}

export interface StatedFact {
  attribute: string;
  value: string;
  from: Date;
  /** If given, it is over since then. */
  until?: Date;
  /** Ids of the memories that say so. */
  evidence: readonly string[];
}

/** The memory of one user about one project, for hooks. */
export interface HookMemory {
  /** Returns the ids of what is stored, in order; undefined for what is off the record. */
  remember(turns: readonly SaidTurn[]): Promise<(string | undefined)[]>;
  /** Only what has the tag. */
  recall(query: string, tag: string, limit: number): Promise<RecalledText[]>;
  /** What was stored last with the tag, newest first. */
  recent(tag: string, limit: number): Promise<RecalledText[]>;
  /** What is current. */
  facts(subject: string): Promise<ProjectFact[]>;
  /** A value ends others of its attribute only if the attribute holds one. */
  putFact(subject: string, fact: StatedFact): Promise<void>;
  close(): Promise<void>;
}
