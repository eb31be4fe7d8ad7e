import { englishStopWords, Problem } from '@memhall/core';
import type { PluginMemory } from '../../ports/memory-plugin.js';
import { mostResults, type PluginTarget } from './plugin-target.js';

/**
 * `absent`: a result list that had room for the memory did not contain it. `among-equals`: a result list was full of
 * memories with the same text, so the id cannot be checked. `unknown`: every result list was full of others.
 */
export type Copy = { memory: PluginMemory } | 'absent' | 'among-equals' | 'unknown';

const mostWords = 6;

/**
 * Looks for a memory in a namespace of any size using only searches with a hundred results. A plugin that is sent
 * vectors finds it by its vector, which no other memory has. For other plugins, its text finds it at once, unless a
 * hundred others match equally well (the same text many times, a long common beginning) or there is no word to search
 * for (stop words, punctuation, emoji). Memhall's own plugin also finds a memory by its id. Then the words that look
 * rarest, which fewer texts contain, and the newest memories are tried.
 */
export async function findCopy(
  target: PluginTarget,
  namespace: string,
  memory: { id: string; content: string },
): Promise<Copy> {
  const isEqual = ({ content }: PluginMemory) => content.normalize('NFC') === memory.content;
  const hasWords = () => rareWords(memory.content).length > 0;
  let verdict: 'absent' | 'unknown' = 'unknown';
  let equal: PluginMemory | undefined;
  for (const { by, search } of searchesFor(target, namespace, memory)) {
    const found = await unlessRejected(search());
    const copy = found?.find(({ id }) => id.toLowerCase() === memory.id);
    if (copy !== undefined) return { memory: copy };
    if (by === 'id' || found === undefined) continue;
    const hasRoom = found.length < mostResults;
    // A list that contains an equal text, but not this memory, leaves no doubt. Without a word to search for, any other
    // list proves nothing.
    if (hasRoom && (by === 'everything' || found.some(isEqual))) return 'absent';
    if (!hasRoom && !target.isSentVectors && found.every(isEqual)) equal = found[0];
    else if (hasRoom && hasWords()) verdict = 'absent';
  }
  if (equal === undefined) return verdict;
  return (await findsById(target, namespace, equal.id)) ? 'absent' : 'among-equals';
}

/** Whether the plugin answers a query that is an id with that memory alone, and so would have found the copy. */
async function findsById(target: PluginTarget, namespace: string, id: string): Promise<boolean> {
  const found = await unlessRejected(target.search(namespace, id));
  return found?.length === 1 && found[0]?.id === id;
}

interface CopySearch {
  /** What the results are chosen by. `everything`: they are only limited in number. */
  by: 'words' | 'id' | 'everything';
  search(): Promise<PluginMemory[]>;
}

function* searchesFor(
  target: PluginTarget,
  namespace: string,
  memory: { id: string; content: string },
): Generator<CopySearch> {
  yield { by: target.isSentVectors ? 'everything' : 'words', search: () => target.searchLike(namespace, memory) };
  if (target.matchesWords) {
    yield { by: 'id', search: () => target.search(namespace, memory.id) };
    for (const word of rareWords(memory.content)) {
      yield { by: 'words', search: () => target.search(namespace, word) };
    }
  }
  yield { by: 'everything', search: () => target.search(namespace, undefined) };
}

/** Returns undefined if the plugin rejects this search. */
async function unlessRejected(search: Promise<PluginMemory[]>): Promise<PluginMemory[] | undefined> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_REQUEST') return undefined;
    throw error;
  }
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
