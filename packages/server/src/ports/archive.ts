/** A record type in archives, such as `memory`. */
export interface ArchiveType {
  name: string;
  /** `user`: every record names its user in `user_id`, which is '' for the tenant's own audit chain. */
  of: 'tenant' | 'user';
  /** Columns that a record may have in addition to `type`. */
  columns: readonly string[];
  /** Included in archives of single users for reference only: the record belongs to another user. Never restored. */
  isForReading?: true;
}

export interface ArchiveRow {
  /**
   * One line of JSON without the line break: `type` and the row's columns. Equal rows give equal lines on every
   * database.
   */
  line: string;
  /** Position to continue after. */
  key: readonly string[];
}

interface ArchivePage {
  /**
   * The owner of the rows. Required for user types. For tenant types it selects the rows that belong to this user;
   * undefined selects all rows.
   */
  userId: string | undefined;
  after: readonly string[] | undefined;
  limit: number;
}

/** A record to restore. */
export interface ArchiveRecord {
  type: string;
  /** Set for user types; undefined for tenant types. */
  userId: string | undefined;
  line: string;
  /** The parsed `line`. */
  row: { readonly [column: string]: unknown };
}

/** All data of the transaction's tenant as lines of an archive. Operator and importer transactions only. */
export interface Archive {
  /**
   * Returns rows of one type in the order in which they must be restored. Fewer than `limit` rows means this was the
   * last page.
   */
  page(type: ArchiveType, page: ArchivePage): Promise<ArchiveRow[]>;
  /** Returns the number of records of one user, or of the whole tenant if `userId` is undefined. */
  count(userId: string | undefined): Promise<number>;
  /** Returns the first user after this one, by name, who has records of any user type. Start with ''. */
  nextUser(after: string): Promise<string | undefined>;
  /**
   * Returns a value that changes whenever the audit chain or the memories of a user change, or with null those of the
   * tenant as a whole. Archived data is consistent if the value stayed the same.
   */
  fingerprint(userId: string | null): Promise<string>;
  /** Returns the ids of the master keys that wrap the tenant's data keys. */
  masterKeyIds(): Promise<string[]>;
  /**
   * Restores records in order. They must all have the same type and, for user types, the same user. Skips records that
   * already exist with the same content. Returns the number of added records. Throws CONFLICT, naming the record, if a
   * different record exists in its place. Importer transactions only.
   */
  restore(type: ArchiveType, records: readonly ArchiveRecord[]): Promise<number>;
}
