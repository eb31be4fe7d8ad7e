import type { ArtifactKey, ArtifactKind } from './artifacts.js';
import type { ChainEnd } from './audit-log.js';
import type { DocumentPlace, DocumentState } from './document-checkpoints.js';

/** Longest time, in days, that each kind is kept; null: as long as anybody likes. */
export interface RetentionPeriods {
  snapshots: number | null;
  events: number | null;
  audit: number | null;
}

/** What a tenant allows; files belong to no profile. */
export interface RetentionCeilings extends RetentionPeriods {
  resources: number | null;
}

/** What has to be known of an audit record to let it go. */
export interface OldRecord extends ChainEnd {
  at: Date;
  target: string;
  /** The document's version it made; null for records of anything else. */
  version: number | null;
}

/** Letting things go with age. All but the ceilings: of the transaction's user, and in transactions of `Store.erase` only. */
export interface Retention {
  /** Those of the transaction's tenant; all null where it never set any. */
  ceilings(): Promise<RetentionCeilings>;
  /** Operators' transactions. Queued. */
  putCeilings(ceilings: RetentionCeilings, now: Date): void;
  /** Removes up to `limit` artifacts that tell of something before the moment, the oldest first, and answers which. */
  removeArtifacts(kind: ArtifactKind, before: Date, limit: number): Promise<ArtifactKey[]>;
  /** Ids of up to `limit` resources that were uploaded before the moment, the oldest first. */
  oldResources(before: Date, limit: number): Promise<string[]>;
  /** Removes the user's memories of a kind by their external ids and answers how many there were. */
  removeMemories(kind: string, externalIds: readonly string[]): Promise<number>;
  /** Removes replays of these snapshots, with the patches of theirs that nobody has decided about. Queued. */
  removeReplays(snapshotIds: readonly string[]): void;
  /** The beginning of the user's audit chain, in order. */
  oldestRecords(limit: number): Promise<OldRecord[]>;
  /** Removes the records up to and including this one and notes where the chain begins now. Answers how many went. */
  cutAudit(upTo: ChainEnd): Promise<number>;
  /** Keeps a state of a document whole. Queued. */
  keepState(place: DocumentPlace, state: DocumentState): void;
  /** From this version on the document is rebuilt; its state is kept already. States of versions below `keepFrom` go. Queued. */
  beginAt(place: DocumentPlace, version: number, keepFrom: number): void;
}
