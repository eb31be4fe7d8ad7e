/** What is known about an attribute of subjects, such as `lives in`. */
export interface Attribute {
  name: string;
  /** Whether a subject has one value at a time. */
  single: boolean;
  /** Whether it can end without another value: somebody quits a job. */
  endsAlone: boolean;
  /** Other names of it. */
  synonyms: readonly string[];
  /** How a statement of it is worded, with `{value}` in place of the value. */
  patterns: readonly string[];
}

export interface StoredAttribute extends Attribute {
  nameKey: string;
  /** In the order of the synonyms. */
  synonymKeys: readonly string[];
  createdAt: Date;
  updatedAt: Date;
}

/** The attributes that the transaction's tenant has defined. */
export interface Attributes {
  /** Returns those with this name, and those with this synonym; the one with the name first. */
  find(key: string): Promise<StoredAttribute[]>;
  /** Returns all, in the order of their names. */
  list(): Promise<StoredAttribute[]>;
  /** Replaces the one with the same name. `Store.administer` transactions only. Queued. */
  put(attribute: StoredAttribute): void;
}
