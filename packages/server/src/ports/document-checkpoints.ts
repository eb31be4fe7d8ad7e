import type { DocumentBody } from './artifact-bodies.js';

/** A document as it was at one version. */
export interface DocumentState {
  version: number;
  etag: string;
  body: DocumentBody;
  at: Date;
}

export interface DocumentPlace {
  namespace: string;
  path: string;
}

/** States of the transaction's user's documents that are kept whole. */
export interface DocumentCheckpoints {
  /** The latest one that is neither newer than the version nor made after the moment. */
  latest(place: DocumentPlace, upTo: { version?: number; at?: Date }): Promise<DocumentState | undefined>;
  /** The one from which the document is rebuilt; undefined: its records go back to its first version. */
  beginning(place: DocumentPlace): Promise<DocumentState | undefined>;
  /** Queued; once for each version, whatever comes after. */
  add(place: DocumentPlace, state: DocumentState): void;
}
