import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { ErasedWords } from '../documents/erase-words.js';
import type { Engine } from '../engine.js';
import { toLines, toText } from '../text-lines.js';
import { type ForgottenTier, forgetPlace } from './forget-tier.js';
import { placeholderOf } from './screen-tier.js';
import { prepareTierIndex } from './tier-index.js';
import type { TierPlace } from './tier-place.js';
import { readTierState } from './tier-state.js';
import { writersOf, writeTier } from './write-tier.js';

/**
 * Removes the words of an author from the text of a tier, with its search entries and quarantined texts. If nothing else is left, the
 * text is removed. `texts` counts removed texts, `changed` those that still have words of others. If the history says nothing about the
 * author (`pastLines` is 0), texts quarantined from the author's versions count as the author's.
 */
export async function removeWords(
  engine: Engine,
  caller: Caller,
  place: TierPlace,
  { words, author, pastLines }: { words: ErasedWords; author: string; pastLines: number },
): Promise<ForgottenTier & { changed: number }> {
  const { artifact, text, kept, pieces } = await readTierState(engine, caller, place);
  const isUnknown = pastLines === 0;
  const quarantined = kept.filter((one) => words.isIn(one.text) || (isUnknown && one.origin.updatedBy === author));
  const placeholders = new Set(quarantined.map(placeholderOf));
  const linesLeft = (before: string) =>
    toLines(before).flatMap((line) =>
      placeholders.has(line) ? [] : ((words.without(line) as string | undefined) ?? []),
    );
  const left = linesLeft(text);
  const isAuthor = writersOf(artifact?.body.content ?? {}).includes(author);
  const isChanged = artifact !== undefined && (isAuthor || left.join('\n') !== toText(artifact.body.content));
  if (isChanged && left.every((line) => line.trim() === '')) {
    return { ...(await forgetPlace(engine, caller, place)), changed: 0 };
  }
  const counts = { texts: 0, passages: 0, quarantined: quarantined.length };
  const settle = (tables: Parameters<NonNullable<Parameters<typeof writeTier>[2]['alongside']>>[0]) => {
    for (const { id } of quarantined) tables.quarantine.delete(id);
    for (const one of kept) {
      if (one.origin.updatedBy !== author || quarantined.includes(one)) continue;
      tables.quarantine.put({ ...one, origin: { ...one.origin, updatedBy: '' } });
    }
  };
  if (!isChanged) {
    await mutate(engine, caller, async (tables) => {
      settle(tables);
      return { result: undefined, mutations: [] };
    });
    return { ...counts, changed: 0 };
  }
  const index = await prepareTierIndex(engine, caller, place, { known: pieces, text: left.join('\n') });
  await writeTier(engine, caller, {
    place,
    reason: 'erasure',
    precondition: { kind: 'one-of', etags: [artifact.etag] },
    index,
    draft: (before) => linesLeft(before).join('\n'),
    writersAfter: (before) => before.filter((writer) => writer !== author),
    // A text that was scanned as a whole may be hostile without some of its lines.
    isScreened: false,
    alongside: settle,
  });
  return { ...counts, changed: 1 };
}
