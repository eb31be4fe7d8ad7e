import type { ArtifactOwner, ArtifactStore } from '../ports/artifact-store.js';
import type { ArtifactKey } from '../ports/artifacts.js';
import { StaleRows } from './stale-rows.js';

/** Throws StaleRows unless the outer store still holds these documents as the database has them. */
export async function confirmSeen(
  blobs: ArtifactStore,
  owner: ArtifactOwner,
  seen: readonly { key: ArtifactKey; tag: string | null }[],
): Promise<void> {
  const found = await Promise.all(
    seen.map(({ key, tag }) => (tag === null ? blobs.get(owner, key) : blobs.get(owner, key, tag))),
  );
  const differing = seen.filter(({ tag }, index) =>
    tag === null ? found[index] !== undefined : found[index] !== 'unchanged',
  );
  if (differing.length > 0) throw new StaleRows(differing.map(({ key }) => key));
}
