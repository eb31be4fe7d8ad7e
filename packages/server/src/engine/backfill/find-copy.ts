import { englishStopWords, Problem } from '@memhall/core';
import type { PluginMemory } from '../../ports/memory-plugin.js';
import { mostResults, type PluginTarget } from './plugin-target.js';

/**
 * `absent`: a result list that had room for the memory did not contain it. `unknown`: every result list was full of
 * others.
 */
export type Copy = { memory: PluginMemory } | 'absent' | 'unknown';

/** Some plugins reject longer queries, and more text adds nothing. */
const longestQuery = 8000;
const mostWords = 6;

/**
 * Looks for a memory in a namespace of any size using only searches with a hundred results. Its text finds it at once,
 * unless a hundred others match equally well (the same text many times, a long common beginning) or there is no word to
 * search for (stop words, punctuation, emoji). Memhall's own plugin also finds a memory by its id. For other plugins,
 * the words that look rarest, which fewer texts contain, and the newest memories are tried.
 */
export async function findCopy(
  target: PluginTarget,
  namespace: string,
  memory: { id: string; content: string },
): Promise<Copy> {
  let hadRoom = false;
  for (const query of queriesFor(memory)) {
    const found = await search(target, namespace, query);
    const copy = found?.find(({ id }) => id.toLowerCase() === memory.id);
    if (copy !== undefined) return { memory: copy };
    // An id is not a word of the text: a result list without the memory proves nothing.
    if (query !== memory.id && found !== undefined && found.length < mostResults) hadRoom = true;
  }
  return hadRoom ? 'absent' : 'unknown';
}

function* queriesFor({ id, content }: { id: string; content: string }): Generator<string | undefined> {
  yield shorten(content);
  yield id;
  yield* rareWords(content);
  yield undefined;
}

/** Returns undefined if the plugin rejects this query. */
async function search(target: PluginTarget, namespace: string, query: string | undefined) {
  try {
    return await target.search(namespace, query);
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_REQUEST') return undefined;
    throw error;
  }
}

function shorten(text: string): string {
  const cut = text.slice(0, longestQuery);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Words with digits first, then the longest: names, numbers and long words occur in few texts. */
function rareWords(text: string): string[] {
  const words = new Set(text.match(/[\p{L}\p{M}\p{N}]{2,64}/gu));
  const rarity = (word: string) => word.length + (/\p{N}/u.test(word) ? mostLetters : 0);
  return [...words]
    .filter((word) => !englishStopWords.has(word.toLowerCase()))
    .sort((a, b) => rarity(b) - rarity(a))
    .slice(0, mostWords);
}

const mostLetters = 64;
