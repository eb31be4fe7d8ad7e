import type { DocumentPlace } from './document-checkpoints.js';

/** A text that was removed from a tier because a model must not read it. */
export interface QuarantinedText extends DocumentPlace {
  id: string;
  /** The owning workspace. */
  userId: string;
  /** SHA-256 of the text, in hexadecimal. */
  contentHash: string;
  text: string;
  category: string;
  rule: string;
  /** `held`: not decided yet. `released`: someone found it harmless, and it may be stored. */
  status: 'held' | 'released';
  /** The author of the document state that contained it, and which state that was. */
  origin: { updatedBy: string; version: number; etag: string };
  createdAt: Date;
  updatedAt: Date;
}

/** Limited to the transaction's user unless a method says otherwise. */
export interface Quarantine {
  get(id: string): Promise<QuarantinedText | undefined>;
  /** Oldest first. */
  all(): Promise<QuarantinedText[]>;
  /** Returns all texts of a place, oldest first. */
  at(place: DocumentPlace): Promise<QuarantinedText[]>;
  /** Returns the paths within a namespace that have held texts, in order, without duplicates. */
  heldPaths(namespace: string): Promise<string[]>;
  /** Replaces an entry with the same place and hash, keeping its id. Queued. */
  put(text: QuarantinedText): void;
  /** Queued; does nothing if it does not exist. */
  delete(id: string): void;
  /**
   * Lists texts of all users of the tenant, or of one user if given; oldest first, starting after `after`. Operator
   * transactions only.
   */
  list(page: {
    userId?: string | undefined;
    after?: { createdAt: Date; id: string } | undefined;
    limit: number;
  }): Promise<QuarantinedText[]>;
  /** Finds a text of any user of the tenant. Operator transactions only. */
  find(id: string): Promise<QuarantinedText | undefined>;
}
