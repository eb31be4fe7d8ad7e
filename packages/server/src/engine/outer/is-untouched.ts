import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { OuterArtifacts } from './outer-artifacts.js';

/** Whether the outer store has no audit records of a user: then nothing there can be at odds with the database. */
export async function isUntouched({ store }: OuterArtifacts, owner: ArtifactOwner): Promise<boolean> {
  for await (const _copy of store.list(owner, 'audit')) return false;
  return true;
}
