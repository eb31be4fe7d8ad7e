/**
 * A directory for data that is on the disk only while it is being processed; only this process's user can read it. Its
 * creator removes it. Directories of a process that ended abruptly are removed by other processes some time later, so
 * that erased data cannot stay behind in them.
 */
export interface TemporaryDirectory {
  readonly path: string;
  /** Removes the directory with all its contents. Idempotent. */
  remove(): Promise<void>;
}
