import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { ArtifactKey } from '../../ports/artifacts.js';
import { adoptDocument } from '../documents/adopt-document.js';
import type { Engine } from '../engine.js';
import { completeJournal } from './complete-journal.js';
import { Outdated } from './outdated.js';
import type { OuterArtifacts } from './outer-artifacts.js';
import { rebuildUser } from './rebuild-user.js';

/** Brings the database to what the outer store holds: the change it has decided last, then documents edited by hand. */
export async function catchUp(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  keys: readonly ArtifactKey[],
): Promise<void> {
  if (!(await completeJournal(engine, outer, owner))) await rebuildUser(engine, outer, owner);
  for (const key of keys) {
    try {
      await adoptDocument(engine, outer, owner, key);
    } catch (error) {
      // Changed once more meanwhile: whoever asked looks again.
      if (!(error instanceof Outdated)) throw error;
    }
  }
}
