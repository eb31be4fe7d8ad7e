export interface BackfillCounts {
  scanned: number;
  copied: number;
  skipped: number;
  errors: number;
}

/** How far an interrupted run got: every row up to `lastId` was processed. */
export interface BackfillMark {
  lastId: string;
  /** The last row that was copied to the target. Used to check that the target is still the same. */
  lastCopiedId: string | null;
  counts: BackfillCounts;
}

/** Stores how far a run got. A mark that cannot be read counts as missing. */
export interface BackfillProgress {
  read(): Promise<BackfillMark | undefined>;
  /** Atomic, even if the process dies. */
  write(mark: BackfillMark): Promise<void>;
  clear(): Promise<void>;
}
