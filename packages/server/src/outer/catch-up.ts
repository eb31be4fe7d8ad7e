import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { ArtifactKey } from '../ports/artifacts.js';
import { adoptIfUnchanged } from './adopt-document.js';
import { completeJournal } from './complete-journal.js';
import type { Outer } from './outer.js';
import { rebuildUser } from './rebuild-user.js';

/** Brings the database up to date with the outer store: completes the last decided change, then adopts documents that were edited there. */
export async function catchUp(outer: Outer, owner: ArtifactOwner, keys: readonly ArtifactKey[]): Promise<void> {
  if (!(await completeJournal(outer, owner))) await rebuildUser(outer, owner);
  for (const key of keys) await adoptIfUnchanged(outer, owner, key);
}
