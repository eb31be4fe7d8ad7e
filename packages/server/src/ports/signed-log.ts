import type { SignedHead } from '@memhall/core';

/** An append-only list of the audit records of a tenant, whose Merkle root is signed from time to time. */
export interface AuditLogState {
  logId: string;
  /** False if it only remains as evidence: it was replaced by another log, or came from an archive. */
  isOpen: boolean;
  /** Number of leaves, signed or not. */
  size: number;
}

/** A chain of one log. A user who is erased and comes back has another one. */
interface LoggedChain {
  logId: string;
  /** Random. Says nothing about the user. */
  chainId: string;
}

/** Stands for one audit record. Never changes, even if the record is erased. */
export interface LogLeaf {
  position: number;
  chainId: string;
  seq: number;
  /** The hash that the chain has for the record. */
  hash: Buffer;
}

/** A leaf with the hashes of the perfect subtrees that end with it, from two leaves upwards, 32 bytes each. */
export interface LeafWithNodes extends LogLeaf {
  nodes: Buffer;
}

/** A leaf beside what is stored of its record now. */
export interface ComparedLeaf extends LogLeaf {
  /** null if no user has this chain any more. */
  userId: string | null;
  /** null if the record is not stored. */
  presentHash: Buffer | null;
}

/** A record without a leaf. `chainId` is null if the chain has none yet. */
export interface UnloggedRecord {
  userId: string;
  chainId: string | null;
  seq: number;
  hash: Buffer;
}

/** How far logging, signing and witnesses are behind, in all tenants. */
export interface SigningState {
  /** Records that no signed head covers. */
  unsignedRecords: number;
  /** Signed heads that the witness has not confirmed, of open logs. */
  waitingHeads: number;
  /** When the oldest of them was signed; null if there is none. */
  waitingSince: Date | null;
}

/** The signed logs of the transaction's tenant. Operator transactions only, except `chainsOf` and `logs`. */
export interface SignedLog {
  /**
   * Waits for erasing transactions of the tenant and lets none begin before this one ends: an erasure must know which records have
   * leaves. Lets nobody else append. Writes do not wait. Queued.
   */
  lock(): void;
  /** Returns all logs, oldest first. `Store.erase` transactions, too. */
  logs(): Promise<AuditLogState[]>;
  /** Makes a new log the open one and closes the one that was. Queued. */
  open(logId: string, now: Date): void;
  /** Returns up to `limit` records that are not in the log, by chain and number. */
  unlogged(logId: string, limit: number): Promise<UnloggedRecord[]>;
  /** Appends leaves, and notes the chains they belong to. Queued. */
  append(logId: string, leaves: readonly (LeafWithNodes & { userId: string })[], now: Date): void;
  addHead(head: SignedHead): void;
  latestHead(logId: string): Promise<SignedHead | undefined>;
  /** Returns the first head with at least this size. */
  headCovering(logId: string, size: number): Promise<SignedHead | undefined>;
  /** Returns heads of a log with size > `after`, ascending. */
  heads(logId: string, range: { after: number; limit: number }): Promise<SignedHead[]>;
  /** Returns the leaves in these positions, in any order. */
  leavesAt(logId: string, positions: readonly number[]): Promise<LeafWithNodes[]>;
  /** Returns leaves with position >= `from`, ascending, each with its record as it is now. */
  compare(logId: string, range: { from: number; limit: number }): Promise<ComparedLeaf[]>;
  /** Returns the leaf of a user's record; undefined if the record was never logged. */
  leafOf(logId: string, userId: string, seq: number): Promise<LogLeaf | undefined>;
  /** Returns the chains of a user in all logs. `Store.erase` transactions, too. */
  chainsOf(userId: string): Promise<LoggedChain[]>;
  /** Returns the texts of records that explain a removal with a signature: of a user's cuts, or, with '', of receipts. */
  removals(userId: string): Promise<string[]>;
  /** Returns heads of the open log that the witness has not confirmed, oldest first. */
  waitingHeads(limit: number): Promise<SignedHead[]>;
  /** Notes that the witness has a head. Queued. */
  confirm(head: SignedHead, now: Date): void;
}
