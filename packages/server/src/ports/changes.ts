/** Something that changed, without its content. */
export interface NewChange {
  /** Who can see it, by `partitionKey`. */
  partition: string;
  /** Of a note in a workspace: the agent or crew it belongs to, such as `agent:a1`. */
  noteOwner: string | null;
  /** What changed it, such as `memory.remember`. */
  operation: string;
  /** The kind of memory, or of another record such as `document`. */
  kind: string;
  id: string;
  at: Date;
}

export interface Change extends NewChange {
  /** Increases within a partition in the order of commits. Between partitions it is only close to that order. */
  position: bigint;
}

/** Positions by the key of their partition: everything up to them has been read. */
export type ChangePositions = ReadonlyMap<string, bigint>;

/** What changed in the transaction's tenant, for readers that follow it. */
export interface Changes {
  /** Queued. The changes belong to the transaction's user. Changes of partitions that others write too wait for each other. */
  append(changes: readonly NewChange[]): void;
  /** Returns the changes in these partitions after the positions, by position. Others than the scope may see are left out. */
  after(positions: ChangePositions, limit: number): Promise<Change[]>;
  /** Returns the position of the last change in each of the partitions; 0 if there is none. */
  last(partitions: readonly string[]): Promise<Map<string, bigint>>;
  /** Operator transactions only. Queued. */
  removeBefore(time: Date): void;
}
