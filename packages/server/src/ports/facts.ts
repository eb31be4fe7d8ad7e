import type { Partition } from './memories.js';
import type { Trust } from './memory-origin.js';

/**
 * held: believed, for the time it is valid. unconfirmed: somebody said so, but it changes nothing yet. retracted: it was never
 * true.
 */
export type Standing = 'held' | 'unconfirmed' | 'retracted';

/** What is said about a fact itself, regardless of other facts. */
export interface FactClaim {
  standing: Standing;
  validFrom: Date;
  /** Nobody said when it began, only that it is true: `validFrom` is when that was said. */
  isUndated: boolean;
  /** When it was said to be true, as it is since `validFrom`; null if that was not said, and it may tell of the past. */
  assertedAt: Date | null;
  /** When it ends by itself, exclusive; null if no end is known. */
  endsAt: Date | null;
  trust: Trust;
  /** 0 … 1. */
  confidence: number;
  /** Whether it takes the place of other values of its attribute from `validFrom` on. */
  replaces: boolean;
  /** Whether somebody stated or confirmed it directly. If not, it does not outlive its evidence. */
  isStated: boolean;
}

/**
 * A claim, with what follows from other facts of the same subject and attribute: `validFrom` of a fact that is undated may be earlier than
 * claimed.
 */
export interface FactState extends FactClaim {
  /** Whether it is unconfirmed only because it would end a more trusted fact. */
  isDisputed: boolean;
  /** `endsAt`, or earlier if another fact takes its place. */
  validTo: Date | null;
  /** The fact that takes its place at `validTo`; null if none does. */
  supersededBy: string | null;
}

export interface FactKeys {
  subjectKey: string;
  attributeKey: string;
}

export interface NewFact extends FactKeys {
  id: string;
  subject: string;
  attribute: string;
  value: string;
  /** Two values of an attribute are the same if their keys are. */
  valueKey: string;
  text: string;
  recordedAt: Date;
}

export interface Fact extends NewFact {
  state: FactState;
  /** When it got into this state. */
  stateAt: Date;
  /** Ids of memories, oldest link first. */
  evidence: string[];
}

/** How a fact got into a state. The first ones are changes of the fact itself, the last four follow from those of others. */
export type FactChange =
  | 'recorded'
  | 'restated'
  | 'confirmed'
  | 'amended'
  | 'retracted'
  | 'rejected'
  | 'undone'
  | 'superseded'
  | 'restored'
  | 'shifted'
  | 'disputed';

/** One step in the life of a fact. Never changes. */
export interface FactStep {
  /** Number of the change, which may have led to steps of several facts. Increases with every change of the user's facts. */
  seq: number;
  factId: string;
  /** Later than that of every earlier change. */
  at: Date;
  change: FactChange;
  /** Why, as a fixed word. */
  reason: string;
  /** Why, in the words of the caller. */
  note: string | null;
  /** The fact that was changed; another one if this step only follows from it. */
  cause: string;
  /** Number of the change that this one took back. */
  undoes: number | null;
  /** The memory whose text led to the change; null if somebody asked for it. */
  memoryId: string | null;
  state: FactState;
}

export interface FactFilter {
  /** Any name of the subject. */
  subjectKey: string | undefined;
  attributeKey: string | undefined;
  /** Only facts that had begun by then. */
  asOf: Date;
  /** Whether facts that were over by then are included. */
  includesPast: boolean;
  /** Only facts that wait for a decision. */
  onlyUnconfirmed?: boolean | undefined;
  /** Only facts with this memory as evidence. */
  evidence?: string | undefined;
}

/** A place in the order of facts by subject and attribute. */
export type FactPosition = FactKeys & { id: string };

/** The facts of the transaction's user. `knownAt` is the latest change to take into account; null for all. */
export interface Facts {
  /** Unknown ids are skipped. In no particular order. */
  get(ids: readonly string[], knownAt: Date | null): Promise<Fact[]>;
  /** Returns the facts of a subject, by any of its names, and attribute, with retracted ones. In no particular order. */
  ofKeys(keys: FactKeys, knownAt?: Date | null): Promise<Fact[]>;
  /**
   * Returns those facts of a subject and attribute that a statement with one of these values has to do with, if it replaces no other
   * value: those with the values, or all if one of them replaces others.
   */
  ofValues(keys: FactKeys, valueKeys: readonly string[]): Promise<Fact[]>;
  /**
   * Returns when facts were last said: the latest time at which one of their memories took place. Facts without a memory are left out.
   */
  lastSaid(ids: readonly string[]): Promise<Map<string, Date>>;
  /** Returns the facts of two groups of subjects, by their keys, whose attributes both groups have. In no particular order. */
  inBoth(one: readonly string[], other: readonly string[]): Promise<Fact[]>;
  /** Last recorded first, without retracted facts; continues after the fact with the id `after`. */
  list(filter: FactFilter, page: { knownAt: Date | null; after: string | undefined; limit: number }): Promise<Fact[]>;
  /** Returns all facts, with retracted ones, ordered by the keys of subject and attribute and by id, after `after`. */
  all(page: { after: FactPosition | undefined; limit: number }): Promise<Fact[]>;
  /** Returns the facts whose place this one takes. */
  supersededBy(id: string, knownAt: Date | null): Promise<string[]>;
  /** Returns the steps of a fact, in order. */
  steps(id: string): Promise<FactStep[]>;
  /** Returns which of these changes were taken back. */
  undone(seqs: readonly number[]): Promise<number[]>;
  /** Returns the last change of any of the user's facts, or of the names of their subjects. */
  lastChange(): Promise<{ seq: number; at: Date } | undefined>;
  /** Queued. A fact needs a step to be seen. */
  add(fact: NewFact): void;
  /** Queued. */
  addSteps(steps: readonly FactStep[]): void;
  /**
   * Skips memories that are evidence already. `statements` says how many things each memory says, by default one: if fewer facts are
   * based on it, it says more than they do. Queued.
   */
  addEvidence(factId: string, memoryIds: readonly string[], at: Date, statements?: readonly number[]): void;
  /** Has `markTouched` look at facts whose state may have changed without a step of their own. */
  touch(factIds: readonly string[]): void;
  /**
   * Marks the memories of facts that got steps or evidence in this transaction with what is true of them now, for recall; also those of
   * unconfirmed facts that they contradict. Memories of others are not marked. The last thing a write does. Queued. Resolves, not before
   * the transaction ends or is read from again, with whether a document agrees with these facts and is due: see `FactPlaces`.
   */
  markTouched(): Promise<boolean>;
  /**
   * Returns the ids of the memories of a kind whose external ids start with `prefix`, which must not be empty, and that facts or their
   * changes are based on.
   */
  evidenceUnder(partition: Partition, kind: string, prefix: string): Promise<string[]>;
  /** Makes facts that are based on one memory be based on another, which has its words now. Queued. */
  moveEvidence(moves: readonly { from: string; to: string }[]): void;
  /** Returns the facts that have one of these memories as evidence. */
  basedOn(memoryIds: readonly string[]): Promise<Fact[]>;
  /** Returns the steps that followed from the texts of these memories for the facts that they speak of, in order. */
  stepsBy(memoryIds: readonly string[]): Promise<FactStep[]>;
  /** Queued. */
  removeEvidence(memoryIds: readonly string[]): void;
  /** Removes facts and all that followed from them for others, as if they had never been recorded. Queued. */
  remove(ids: readonly string[]): void;
}
