/** What a revocation is about: one token, the tokens of a user, or those of everybody in the tenant. */
export type RevocationKind = 'token' | 'user' | 'tenant';

export interface TokenRevocation {
  id: string;
  kind: RevocationKind;
  /** The id of the token or of the user; '' for the tenant. Unique for its kind. */
  subject: string;
  /** Tokens issued before this are revoked; null for one token. */
  issuedBefore: Date | null;
  /** When all these tokens have expired by themselves; null if that is not known. */
  expiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  /** null while it is in force. */
  undoneAt: Date | null;
}

/** Revoked tokens of the transaction's tenant. Operator transactions only. */
export interface TokenRevocations {
  /** Returns it even if it was undone or has expired. */
  get(id: string): Promise<TokenRevocation | undefined>;
  find(kind: RevocationKind, subject: string): Promise<TokenRevocation | undefined>;
  /** Those in force at the given time, ordered by id, starting after `after`. */
  list(page: { now: Date; after?: string | undefined; limit: number }): Promise<TokenRevocation[]>;
  /** Inserts it, or replaces the one with this id. Queued. */
  put(revocation: TokenRevocation): void;
  /** Removes those that expired or were undone before these times. Returns how many. */
  deleteOld(before: { expiredAt: Date; undoneAt: Date }): Promise<number>;
}
