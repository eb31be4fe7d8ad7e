import type { ArtifactOwner, ArtifactStore } from '../../ports/artifact-store.js';
import type { ArtifactKey } from '../../ports/artifacts.js';
import { Outdated } from './outdated.js';

/** Throws Outdated unless the outer store still holds these documents as the database has them. */
export async function confirmSeen(
  store: ArtifactStore,
  owner: ArtifactOwner,
  seen: readonly { key: ArtifactKey; tag: string | null }[],
): Promise<void> {
  const answers = await Promise.all(
    seen.map(({ key, tag }) => (tag === null ? store.get(owner, key) : store.get(owner, key, tag))),
  );
  const differing = seen.filter(({ tag }, index) =>
    tag === null ? answers[index] !== undefined : answers[index] !== 'unchanged',
  );
  if (differing.length > 0) throw new Outdated(differing.map(({ key }) => key));
}
