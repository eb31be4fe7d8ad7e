export interface AuditHead {
  tenantId: string;
  /** '' for the tenant's own chain. */
  userId: string;
  seq: bigint;
  hash: Buffer;
  /** The last record that was cut off at the beginning; null if the chain is complete. */
  cut: ChainEnd | null;
}

/** A user, or a workspace that agents share. */
export interface ChainOwner {
  userId: string;
  /** Audit records, also those that were cut off since. */
  changes: number;
  /** When the last of them was made; null if it was cut off. */
  lastAt: Date | null;
}

export interface ChainEnd {
  seq: bigint;
  hash: Buffer;
}

export interface ChainedRecord {
  seq: bigint;
  /** Canonical JSON, byte for byte as hashed. */
  record: string;
  hash: Buffer;
}

/** Selects records of a chain; all given conditions must hold. */
export interface AuditFilter {
  target?: string | undefined;
  operation?: string | undefined;
  /** The user who made the change, else the service. */
  author?: string | undefined;
  /** RFC 3339 in UTC with milliseconds, as in the records. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
}

/** The chain of an owner, or the records of every chain that name a namespace. */
export type RecordedIn = { chainOf: string } | { namespace: string };

/** The append-only, hash-chained audit log of the transaction's tenant and user. */
export interface AuditLog {
  /**
   * Appends in order to the chain of the transaction's user, or of the tenant if there is no user. Queued: a failure
   * fails the transaction. Fails with CONFLICT, even without records, if the user or tenant was erased after the
   * transaction's `since`.
   */
  append(records: readonly string[]): void;
  /** Returns the records of one chain with seq > `after`, ascending. */
  records(userId: string, range: { after: bigint; limit: number }): Promise<ChainedRecord[]>;
  /** Returns records of the transaction's own chain, newest first, older than `before`. */
  list(filter: AuditFilter, page: { before: bigint | undefined; limit: number }): Promise<ChainedRecord[]>;
  /**
   * Returns the records of the transaction's own chain that created versions of a document: versions > `after` and <=
   * `upTo`, ascending.
   */
  versions(target: string, range: { after: number; upTo: number; limit: number }): Promise<ChainedRecord[]>;
  /** Like `versions`, but below `before` and descending. */
  versionsBefore(target: string, range: { before: number | undefined; limit: number }): Promise<ChainedRecord[]>;
  /**
   * Returns records of the transaction's own chain that created versions of documents and whose evidence names a conversation, newest
   * first.
   */
  versionsCiting(conversationId: string, limit: number): Promise<ChainedRecord[]>;
  /**
   * Returns the latest records of one target, newest first by time, in the chains of others as well. Operator transactions
   * only; the caller must have checked who may see the target.
   */
  ofTarget(wanted: { target: string; in: RecordedIn; limit: number }): Promise<ChainedRecord[]>;
  /** Returns the users with a chain in the tenant, ordered, whose ids begin with `prefix`. Operator transactions only. */
  owners(page: { after: string; prefix: string; limit: number }): Promise<ChainOwner[]>;
  /** Returns undefined if nothing was written to this chain, or nothing since it was erased. */
  head(userId: string): Promise<AuditHead | undefined>;
}
