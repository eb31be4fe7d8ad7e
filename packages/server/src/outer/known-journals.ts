import type { ArtifactOwner } from '../ports/artifact-store.js';
import { idOf } from './outer.js';

const maxOwners = 10_000;

/** A user's journal as this node last wrote it. Valid as long as the database names the same change. */
interface KnownJournal {
  changeId: string;
  tag: string;
  /** Audit records up to this one were copied. */
  copiedSeq: bigint;
}

/**
 * Saves requests to the outer store. Dropping an entry is always safe: journals are overwritten under the condition of
 * their tag, and audit records may be copied twice.
 */
export class KnownJournals {
  readonly #journals = new Map<string, KnownJournal>();

  /** Returns undefined unless the known journal belongs to this change. */
  get(owner: ArtifactOwner, changeId: string | undefined): KnownJournal | undefined {
    const journal = this.#journals.get(idOf(owner));
    return journal !== undefined && journal.changeId === changeId ? journal : undefined;
  }

  set(owner: ArtifactOwner, journal: KnownJournal): void {
    if (this.#journals.size >= maxOwners) this.#journals.clear();
    this.#journals.set(idOf(owner), journal);
  }

  drop(owner: ArtifactOwner): void {
    this.#journals.delete(idOf(owner));
  }
}
