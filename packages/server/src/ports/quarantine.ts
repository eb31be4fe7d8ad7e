import type { DocumentPlace } from './document-checkpoints.js';

/** A text that was taken out of a tier, since a model must not read it. */
export interface QuarantinedText extends DocumentPlace {
  id: string;
  /** Whose it is: the workspace. */
  userId: string;
  /** SHA-256 of the text, hexadecimal. */
  contentHash: string;
  text: string;
  category: string;
  rule: string;
  /** held: nobody has decided; released: somebody found it harmless, and it passes. */
  status: 'held' | 'released';
  /** Who wrote the state of the document that it was found in, and which one that was. */
  origin: { updatedBy: string; version: number; etag: string };
  createdAt: Date;
  updatedAt: Date;
}

/** Of the transaction's user, but where a method says otherwise. */
export interface Quarantine {
  get(id: string): Promise<QuarantinedText | undefined>;
  /** Oldest first. */
  all(): Promise<QuarantinedText[]>;
  /** All of a place, oldest first. */
  at(place: DocumentPlace): Promise<QuarantinedText[]>;
  /** Paths within a namespace of which something is held, in order, each once. */
  heldPaths(namespace: string): Promise<string[]>;
  /** Replaces what is there of the same place and hash, and keeps its id. Queued. */
  put(text: QuarantinedText): void;
  /** Queued; leaves out what is not there. */
  delete(id: string): void;
  /** Of every user of the tenant, of one if one is named; oldest first, after the one given. Operators' transactions only. */
  list(page: {
    userId?: string | undefined;
    after?: { createdAt: Date; id: string } | undefined;
    limit: number;
  }): Promise<QuarantinedText[]>;
  /** Of whichever user of the tenant. Operators' transactions only. */
  find(id: string): Promise<QuarantinedText | undefined>;
}
