import type { DocumentPlace } from './document-checkpoints.js';
import type { FactKeys } from './facts.js';

/** A document whose values agree with the facts of a subject and an attribute. */
export interface FactPlace extends FactKeys, DocumentPlace {
  /** Increases with every change of these facts. */
  changes: number;
}

/** The documents that agree with facts of the transaction's user, unless a method says otherwise. */
export interface FactPlaces {
  /** Adds those that are missing. They are not due. Queued. */
  add(keys: readonly FactKeys[], place: DocumentPlace, at: Date): void;
  /** Returns what is known about documents that are due. */
  due(now: Date): Promise<FactPlace[]>;
  /** Returns what is known about one document. */
  at(place: DocumentPlace): Promise<FactPlace[]>;
  /** Says when a document is due again; null for not before the facts change. Does nothing if they have changed since. Queued. */
  setDue(place: FactPlace, dueAt: Date | null): void;
  /** Returns the tenant's users who have documents that are due, longest due first. Operator transactions only. */
  usersDue(now: Date, limit: number): Promise<string[]>;
}
