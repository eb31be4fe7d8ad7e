export interface BackfillCounts {
  scanned: number;
  copied: number;
  skipped: number;
  errors: number;
}

/** How far an interrupted run got: every row up to `lastId` was dealt with. */
export interface BackfillMark {
  lastId: string;
  /** The last row that reached the target, by which it is told whether the target still is what it was. */
  lastCopiedId: string | null;
  counts: BackfillCounts;
}

/** Where a run notes how far it is. A note that cannot be read is no note. */
export interface BackfillProgress {
  read(): Promise<BackfillMark | undefined>;
  /** All of it or none of it, whenever the process dies. */
  write(mark: BackfillMark): Promise<void>;
  clear(): Promise<void>;
}
