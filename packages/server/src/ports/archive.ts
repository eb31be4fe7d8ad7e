/** A kind of record in archives, such as `memory`. */
export interface ArchiveType {
  name: string;
  /** user: every record names its user in `user_id`, '' for the tenant's own audit chain. */
  of: 'tenant' | 'user';
  /** What a record may have besides `type`. */
  columns: readonly string[];
  /** It is in archives of single users, for whoever reads them: where it belongs is in somebody else's. Never restored. */
  isForReading?: true;
}

export interface ArchiveRow {
  /** One line of JSON without its end: `type` and the row's columns. Equal rows give equal lines, on every database. */
  line: string;
  /** Where to read on from. */
  key: readonly string[];
}

export interface ArchivePage {
  /** Whose rows. Of a tenant's type: only those that belong to this user, undefined for all. Of a user's type it is needed. */
  userId: string | undefined;
  after: readonly string[] | undefined;
  limit: number;
}

/** A record to be restored. */
export interface ArchiveRecord {
  type: string;
  /** Of users' types; undefined for those of the tenant. */
  userId: string | undefined;
  line: string;
  /** The same, parsed. */
  row: { readonly [column: string]: unknown };
}

/** Everything of the transaction's tenant, as lines of an archive. Operators' and importers' transactions only. */
export interface Archive {
  /** Rows of one type, in the order in which they have to be restored. Fewer than `limit`: these were the last. */
  page(type: ArchiveType, page: ArchivePage): Promise<ArchiveRow[]>;
  /** How many records there are, of the whole tenant or of one user. */
  count(userId: string | undefined): Promise<number>;
  /** The first user after this one, by name, who has anything of a user's type; '' is before all. */
  nextUser(after: string): Promise<string | undefined>;
  /**
   * Another one whenever something changed that an archive of this user, or with null of what belongs to the tenant as a whole,
   * would have to agree in: the end of the audit chain, and memories.
   */
  fingerprint(userId: string | null): Promise<string>;
  /** Names of the master keys that the tenant's data keys are wrapped with. */
  masterKeyIds(): Promise<string[]>;
  /**
   * Puts records of one type and, for users' types, one user in place, in their order. Those that are there already, the same,
   * stay. Answers how many were added. Throws CONFLICT, naming the record, where there is another in its place. Importers'
   * transactions only.
   */
  restore(type: ArchiveType, records: readonly ArchiveRecord[]): Promise<number>;
}
