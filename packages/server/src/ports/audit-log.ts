export interface AuditHead {
  tenantId: string;
  /** '' for the tenant's own chain. */
  userId: string;
  seq: bigint;
  hash: Buffer;
}

export interface ChainedRecord {
  seq: bigint;
  /** Canonical JSON, byte for byte as it was hashed. */
  record: string;
  hash: Buffer;
}

/** The append-only, hash-chained audit log of the transaction's tenant and user. */
export interface AuditLog {
  /** Appends in order, to the chain of the transaction's user, or of the tenant when it has none. Queued: a failure fails the transaction. */
  append(records: readonly string[]): void;
  /** Records of one chain with seq > `after`, ascending. */
  records(userId: string, range: { after: bigint; limit: number }): Promise<ChainedRecord[]>;
  /** undefined: nothing was ever written to this chain. */
  head(userId: string): Promise<AuditHead | undefined>;
}
