import { Problem } from '@memhall/core';
import type {
  ArtifactFacts,
  ArtifactOwner,
  ArtifactStore,
  StoredArtifact,
  StoredKey,
} from '../ports/artifact-store.js';

/** A change of one blob, and the tag the blob had before. */
export interface OuterChange {
  key: StoredKey;
  tag: string | null;
  put: (ArtifactFacts & { body: object }) | null;
}

/** A tag that no blob has. A row with it always differs from the outer store, so the next reader looks there. */
const noStatesTag = '"superseded"';

const maxTries = 3;

/**
 * Makes a decided change in the outer store. May be repeated: the process that decided it may have died before or after this
 * step. Returns the tag that the artifact's row should have, or null if it was deleted.
 */
export async function carryOut(
  store: ArtifactStore,
  owner: ArtifactOwner,
  { key, tag, put }: OuterChange,
  at: Date,
): Promise<string | null> {
  if (put === null) {
    await deleteOuter(store, owner, { key, tag, put }, at);
    return null;
  }
  const content = { text: JSON.stringify(put.body), facts: put };
  let condition = toCondition(tag);
  for (let tries = 1; tries <= maxTries; tries++) {
    try {
      return await store.put(owner, key, content, condition);
    } catch (error) {
      if (!isMismatch(error)) throw error;
    }
    const present = await store.get(owner, key);
    const outcome = weigh(present, key, put);
    if (outcome === 'done') return present?.tag ?? noStatesTag;
    if (outcome === 'superseded') return noStatesTag;
    condition = toCondition(present?.tag ?? null);
  }
  throw new Problem('UNAVAILABLE', 'The artifact is being changed by others. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

/** A concurrent edit of a document wins and is adopted as the next version. Of anything else, the later version wins. */
function weigh(
  present: StoredArtifact | undefined,
  key: StoredKey,
  put: ArtifactFacts,
): 'done' | 'superseded' | 'to do' {
  if (present?.facts?.etag === put.etag) return 'done';
  if (key.kind === 'document') return 'superseded';
  return present?.facts && present.facts.version > put.version ? 'superseded' : 'to do';
}

async function deleteOuter(
  store: ArtifactStore,
  owner: ArtifactOwner,
  { key, tag }: OuterChange,
  at: Date,
): Promise<void> {
  try {
    await store.delete(owner, key, tag === null ? undefined : { tag });
  } catch (error) {
    if (!isMismatch(error)) throw error;
    const present = await store.get(owner, key);
    const isNewer = present?.facts != null && present.facts.updatedAt > at;
    if (!isNewer) await store.delete(owner, key);
  }
}

function toCondition(tag: string | null): 'absent' | { tag: string } {
  return tag === null ? 'absent' : { tag };
}

export function isMismatch(error: unknown): boolean {
  return error instanceof Problem && error.code === 'ETAG_MISMATCH';
}
