import type { Engine } from '../engine.js';
import { addOutside, type FoundEverywhere } from './add-outside.js';
import { type AnyBrowse, browseAny } from './browse-any.js';
import type { Member } from './member.js';
import { type AnyRecall, recallAny } from './recall-any.js';
import { type AnySession, recallAnySessions } from './recall-any-sessions.js';

/**
 * Recalls over everything the caller may read, in the store and outside of it. Up to `limit` memories from outside follow those of the
 * store; they never take the place of one.
 */
export async function recallEverywhere(engine: Engine, member: Member, input: AnyRecall): Promise<FoundEverywhere> {
  const isByWords = lacksVector(engine, input);
  const stored = recallAny(engine, member, input);
  // A vector alone says nothing to a store with another model.
  // Nor is it known what another store knew at an earlier time.
  if (input.text === undefined || input.knownAt !== undefined)
    return { results: await stored, isIncomplete: isByWords, omitted: 0 };
  const found = await addOutside(engine, member, input, stored);
  return { ...found, isIncomplete: found.isIncomplete || isByWords };
}

/** Recalls by session over everything the caller may read. Memories outside of the store belong to no session. */
export async function recallSessionsEverywhere(
  engine: Engine,
  member: Member,
  input: Parameters<typeof recallAnySessions>[2],
): Promise<{ sessions: readonly AnySession[]; isIncomplete: boolean }> {
  const isIncomplete = lacksVector(engine, input);
  return { sessions: await recallAnySessions(engine, member, input), isIncomplete };
}

/** Whether a query is searched by its words only, because the embedder is not ready. */
function lacksVector({ embedder }: Engine, { text, embedding, arms }: AnyRecall): boolean {
  return embedder?.isReady === false && text !== undefined && embedding === undefined && arms !== 'lexical';
}

/** Lists what the caller may read without a query, in the store and outside of it; each of the two pinned first, then newest first. */
export function browseEverywhere(engine: Engine, member: Member, input: AnyBrowse): Promise<FoundEverywhere> {
  const stored = browseAny(engine, member, input).then((found) => found.map((one) => ({ ...one, score: 0 })));
  return addOutside(engine, member, input, stored);
}
