export interface AuditHead {
  tenantId: string;
  /** '' for the tenant's own chain. */
  userId: string;
  seq: bigint;
  hash: Buffer;
  /** The last record that was cut off from the beginning; null: the chain is whole. */
  cut: ChainEnd | null;
}

export interface ChainEnd {
  seq: bigint;
  hash: Buffer;
}

export interface ChainedRecord {
  seq: bigint;
  /** Canonical JSON, byte for byte as it was hashed. */
  record: string;
  hash: Buffer;
}

/** Which records of a chain; all that is given must hold. */
export interface AuditFilter {
  target?: string | undefined;
  /** RFC 3339 in UTC with milliseconds, as records have it. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
}

/** The append-only, hash-chained audit log of the transaction's tenant and user. */
export interface AuditLog {
  /** Appends in order, to the chain of the transaction's user, or of the tenant when it has none. Queued: a failure fails the transaction. CONFLICT, also with no records, if it was erased after the transaction's `since`. */
  append(records: readonly string[]): void;
  /** Records of one chain with seq > `after`, ascending. */
  records(userId: string, range: { after: bigint; limit: number }): Promise<ChainedRecord[]>;
  /** Records of the transaction's own chain, newest first, older than `before`. */
  list(filter: AuditFilter, page: { before: bigint | undefined; limit: number }): Promise<ChainedRecord[]>;
  /** Records of the transaction's own chain that made versions of a document, above `after` up to `upTo`, ascending. */
  versions(target: string, range: { after: number; upTo: number; limit: number }): Promise<ChainedRecord[]>;
  /** As `versions`, but below `before` and descending. */
  versionsBefore(target: string, range: { before: number | undefined; limit: number }): Promise<ChainedRecord[]>;
  /** undefined: nothing was written to this chain, or nothing since it was erased. */
  head(userId: string): Promise<AuditHead | undefined>;
}
