import { Problem } from '@memhall/core';
import type {
  ArtifactFacts,
  ArtifactOwner,
  ArtifactStore,
  StoredArtifact,
  StoredKey,
} from '../../ports/artifact-store.js';

/** What is to become of something in the outer store, and the tag it had there before. */
export interface OuterChange {
  key: StoredKey;
  tag: string | null;
  put: (ArtifactFacts & { body: object }) | null;
}

/** No state has it: a row with this tag differs from whatever the outer store holds, so that the next reader looks. */
const noStatesTag = '"superseded"';

const maxTries = 3;

/**
 * Makes a decided change in the outer store; again, if need be, since whoever made it first may not have come so far.
 * Answers the tag that the artifact's row should have, or null for one that was deleted.
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
  throw new Problem('UNAVAILABLE', 'The artifact keeps changing. Try again shortly.', { retryAfterSeconds: 1 });
}

/** An edit of a document that came in between stands, and is adopted as what followed; of anything else, the later state stands. */
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
