import { englishStopWords, Problem } from '@memhall/core';
import type { PluginMemory } from '../../ports/memory-plugin.js';
import { mostResults, type PluginTarget } from './plugin-target.js';

/** absent: an answer that had room for it did not have it. unknown: every answer was full of others. */
export type Copy = { memory: PluginMemory } | 'absent' | 'unknown';

/** Longer queries are refused by some, and say no more. */
const longestQuery = 8000;
const mostWords = 6;

/**
 * Looks for a memory in a namespace of any size by nothing but searches of a hundred results. Its text finds it at once, save
 * where a hundred others fit as well (the same text many times, a long common beginning) or there is no word to look for
 * (stop words, signs, emoji). Memhall's own plugin also finds a memory by its id; for others there are the text's rarest-looking
 * words, each of which fewer texts have, and the newest memories.
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
    // An id is no word of the text: an answer without the memory means nothing.
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

/** undefined: the plugin does not take this query. */
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

/** Those with digits first, then the longest: names, numbers and long words are in few texts. */
function rareWords(text: string): string[] {
  const words = new Set(text.match(/[\p{L}\p{M}\p{N}]{2,64}/gu));
  const rarity = (word: string) => word.length + (/\p{N}/u.test(word) ? mostLetters : 0);
  return [...words]
    .filter((word) => !englishStopWords.has(word.toLowerCase()))
    .sort((a, b) => rarity(b) - rarity(a))
    .slice(0, mostWords);
}

const mostLetters = 64;
