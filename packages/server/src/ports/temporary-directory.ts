/**
 * A directory for what is on the disk only while somebody works on it; nobody but this process's user can read it. Whoever made
 * it removes it. Of a process that ends abruptly, others remove it some time later: nobody who is forgotten may be left in there.
 */
export interface TemporaryDirectory {
  readonly path: string;
  /** With all that is in it. Twice is once. */
  remove(): Promise<void>;
}
