import type { ArtifactKey } from '../../ports/artifacts.js';

/** A transaction went by rows that the outer store does not confirm: it has to catch up with these, and start again. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
  readonly keys: readonly ArtifactKey[];

  constructor(keys: readonly ArtifactKey[]) {
    super('the database is behind the artifact store');
    this.keys = keys;
  }
}
