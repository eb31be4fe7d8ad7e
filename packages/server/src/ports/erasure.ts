import type { DocumentPlace, DocumentState } from './document-checkpoints.js';

/** Number of entries by kind, such as `documents`. Contains every kind, even those with none. */
export type Counts = Readonly<Record<string, number>>;

/** Stands for the author of a memory who was erased. No user or service has this id. */
export const erasedAuthor = '[erased]';

/** A document of another user that is about an erased user, or that only that user wrote. */
export interface NotePlace extends DocumentPlace {
  /** The owner of the document. */
  userId: string;
}

/** A record whose text was replaced. It keeps its number and its hash. */
export interface ReplacedRecord {
  seq: bigint;
  /** The hash that the chain has for it, computed from the erased text. */
  hash: Buffer;
  /** The hash that its present text has in its place. */
  presentHash: Buffer;
}

/**
 * Removes everything stored about a user or a tenant, except receipts. `Store.erase` transactions only, except `count`,
 * `hasRows`, `notesElsewhere`, `authoredElsewhere` and `writtenFor`.
 */
export interface Erasure {
  /**
   * Removes all data of the transaction's user, including its audit chain and everything it wrote to the tenant's
   * public memories and to namespaces. Waits until nobody else changes those memories.
   */
  removeUser(): Promise<Counts>;
  /** Removes all data of the transaction's tenant and of all its users, including all audit chains. */
  removeTenant(): Promise<Counts>;
  /**
   * Counts the data of a user (null: of the tenant and all its users), split into entries created before a time and
   * since then. Includes what others have about the user: kinds that end in `_elsewhere`. Operator transactions, too.
   */
  count(userId: string | null, moment: Date): Promise<{ before: Counts; since: Counts }>;
  /** Returns whether any row belongs to a user, to the workspace of that name, or to anybody in the given namespace. Operator transactions, too. */
  hasRows(userId: string, namespace: string): Promise<boolean>;
  /** Returns whether nobody but the user, or a service without a user, ever wrote to the workspace named after the user. */
  isAloneInWorkspace(userId: string): Promise<boolean>;
  /**
   * Returns the documents of other owners in the tier `peers` whose key is the user's id, with `@` and `:` written as `-`, unless
   * another user of the tenant has exactly that id; also those of which only versions or quarantined texts are left. And the
   * documents of tiers that name this user as their only writer. Ordered by owner and path. Operator transactions, too.
   */
  notesElsewhere(userId: string): Promise<NotePlace[]>;
  /**
   * Returns the documents of other users that have versions by this user whose content was not erased. Ordered by owner, namespace and
   * path. Operator transactions, too.
   */
  authoredElsewhere(userId: string): Promise<NotePlace[]>;
  /** Returns the other owners that have memories by this user, in order. Operator transactions, too. */
  writtenFor(author: string): Promise<string[]>;
  /** Replaces this author of memories of the transaction's user with `erasedAuthor`. Returns how many there were. */
  eraseAuthor(author: string): Promise<number>;
  /** Returns the documents of the transaction's user that began with the content of this one. */
  copiesOf(place: DocumentPlace): Promise<DocumentPlace[]>;
  /** Returns all complete states of a document of the transaction's user, by version. */
  states(place: DocumentPlace): Promise<DocumentState[]>;
  /** Replaces etag and body of the complete state with the same version. Queued. */
  replaceState(place: DocumentPlace, state: DocumentState): void;
  /**
   * Waits for transactions that write about the transaction's user, or in the user's name for others (`Receipts.refuseIfErased`),
   * and lets no further one begin before this one ends. Queued.
   */
  lockNotes(): void;
  /** Replaces the texts of records of the transaction's chain. */
  replaceRecords(records: readonly { seq: bigint; record: string }[]): Promise<ReplacedRecord[]>;
  /** Removes the complete states of a document of the transaction's user. Queued. */
  removeStates(place: DocumentPlace): void;
  /** Removes idempotency keys of the transaction's user. Queued. */
  removeKeys(idempotencyKeys: readonly string[]): void;
}
