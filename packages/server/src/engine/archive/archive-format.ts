import { createHash, type Hash } from 'node:crypto';

export const archiveFormat = 'memhall-export';
export const archiveVersion = 1;

/** The first line. */
export interface ArchiveHeader {
  format: typeof archiveFormat;
  version: typeof archiveVersion;
  created_at: string;
  /** Version of Memhall that wrote it. */
  memhall: string;
  tenant: string;
  /** Absent if the archive covers the whole tenant. */
  user?: string;
  /** Ids of the master keys needed to decrypt the snapshots in it. Not the keys themselves. */
  master_key_ids: readonly string[];
}

/** The last line. */
interface ArchiveFooter {
  type: 'end';
  counts: Record<string, number>;
  /** SHA-256 of all bytes before this line. */
  sha256: string;
}

/** Counts and hashes the lines of an archive while it is written or read. */
export class ArchiveTally {
  readonly #hash: Hash;
  readonly #counts: Map<string, number>;
  records = 0;

  constructor(from?: ArchiveTally) {
    this.#hash = from === undefined ? createHash('sha256') : from.#hash.copy();
    this.#counts = new Map(from === undefined ? [] : from.#counts);
    this.records = from?.records ?? 0;
  }

  /** `type` is undefined for the header. */
  add(line: string | Buffer, type?: string): void {
    this.#hash.update(line).update('\n');
    if (type === undefined) return;
    this.records += 1;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  footer(): ArchiveFooter {
    const counts = Object.fromEntries([...this.#counts].sort(([one], [other]) => (one < other ? -1 : 1)));
    return { type: 'end', counts, sha256: this.#hash.copy().digest('hex') };
  }
}
