import type { ArtifactKey } from '../ports/artifacts.js';

/** A transaction used rows that differ from the outer store. Bring the database up to date, then run the transaction again. */
export class StaleRows extends Error {
  override readonly name = 'StaleRows';
  /** The documents that differ; empty if only the journal does. */
  readonly keys: readonly ArtifactKey[];

  constructor(keys: readonly ArtifactKey[]) {
    super('the database is behind the artifact store');
    this.keys = keys;
  }
}
