import type { ArtifactKey, ArtifactKind } from './artifacts.js';
import type { ChainEnd } from './audit-log.js';
import type { DocumentPlace, DocumentState } from './document-checkpoints.js';

/** Longest time, in days, that each kind is kept; null for no limit. */
export interface RetentionPeriods {
  snapshots: number | null;
  events: number | null;
  audit: number | null;
}

/** The limits of a tenant. Files are not covered by profiles. */
export interface RetentionCeilings extends RetentionPeriods {
  resources: number | null;
}

/** The part of an audit record that is needed to remove it. */
export interface OldRecord extends ChainEnd {
  at: Date;
  target: string;
  /** The document version it created; null for records about anything else. */
  version: number | null;
}

/**
 * Removes old data. Everything except the ceilings concerns the transaction's user and is limited to `Store.erase`
 * transactions.
 */
export interface Retention {
  /** Returns the ceilings of the transaction's tenant; all null if it never set any. */
  ceilings(): Promise<RetentionCeilings>;
  /** Operator transactions only. Queued. */
  putCeilings(ceilings: RetentionCeilings, now: Date): void;
  /**
   * Counts what of a user is older than these moments; nothing of a kind without one. Records are counted up to the first that is not
   * older, and not at all if they are about `retentionTarget` alone. Operator transactions only.
   */
  count(
    userId: string,
    before: Readonly<Record<keyof RetentionCeilings, Date | null>>,
    names: { eventKind: string; retentionTarget: string },
  ): Promise<Record<keyof RetentionCeilings | 'eventMemories', number>>;
  /** Removes up to `limit` artifacts about events before the given time, oldest first. Returns their keys. */
  removeArtifacts(kind: ArtifactKind, before: Date, limit: number): Promise<ArtifactKey[]>;
  /** Returns the ids of up to `limit` resources uploaded before the given time, oldest first. */
  oldResources(before: Date, limit: number): Promise<string[]>;
  /** Removes the user's memories of a kind by their external ids. Returns the ids of those that existed. */
  removeMemories(kind: string, externalIds: readonly string[]): Promise<string[]>;
  /** Removes the replays of these snapshots, with those of their patches that are still undecided. Queued. */
  removeReplays(snapshotIds: readonly string[]): void;
  /** Returns the beginning of the user's audit chain, in order. */
  oldestRecords(limit: number): Promise<OldRecord[]>;
  /**
   * Removes the records up to and including this one, and stores where the chain now begins. Returns how many were
   * removed.
   */
  cutAudit(upTo: ChainEnd): Promise<number>;
  /** Stores a complete state of a document. Queued. */
  keepState(place: DocumentPlace, state: DocumentState): void;
  /**
   * Makes this version the one from which the document is rebuilt; its state must already be stored. Removes states of
   * versions below `keepFrom`. Queued.
   */
  beginAt(place: DocumentPlace, version: number, keepFrom: number): void;
}
