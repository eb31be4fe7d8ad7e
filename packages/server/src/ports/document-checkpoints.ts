import type { DocumentBody } from './artifact-bodies.js';

/** The state of a document at one version. */
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

/** Complete states of the documents of the transaction's user. */
export interface DocumentCheckpoints {
  /** Returns the latest state whose version and time do not exceed the given ones. */
  latest(place: DocumentPlace, upTo: { version?: number; at?: Date }): Promise<DocumentState | undefined>;
  /** Returns the state from which the document is rebuilt; undefined if its records go back to its first version. */
  beginning(place: DocumentPlace): Promise<DocumentState | undefined>;
  /** Queued. The first state added for a version stays; later ones are ignored. */
  add(place: DocumentPlace, state: DocumentState): void;
}
