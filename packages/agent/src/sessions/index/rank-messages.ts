import type { IndexedMessage } from './indexed-session.js';
import { hasWord } from './message-words.js';

interface RankedMessage {
  name: string;
  message: IndexedMessage;
}

interface RankQuery {
  words: readonly string[];
  limit: number;
  exceptRunId?: string | undefined;
}

/** Returns messages that contain any of the words: best first, then newest first. Rare words weigh more. */
export function rankMessages(
  files: Iterable<readonly [name: string, messages: readonly IndexedMessage[]]>,
  { words, limit, exceptRunId }: RankQuery,
): RankedMessage[] {
  let count = 0;
  const frequencies = words.map(() => 0);
  const hits: (RankedMessage & { found: number[] })[] = [];
  for (const [name, messages] of files) {
    for (const message of messages) {
      if (message.runId === exceptRunId) continue;
      count += 1;
      const found = words.flatMap((word, n) => (hasWord(message.words, word) ? [n] : []));
      for (const n of found) frequencies[n] = (frequencies[n] ?? 0) + 1;
      if (found.length > 0) hits.push({ name, message, found });
    }
  }
  const weights = frequencies.map((frequency) => Math.log(1 + count / (1 + frequency)));
  return hits
    .map(({ found, ...hit }) => ({ hit, score: found.reduce((sum, n) => sum + (weights[n] ?? 0), 0) }))
    .sort((a, b) => b.score - a.score || (a.hit.message.at < b.hit.message.at ? 1 : -1))
    .slice(0, limit)
    .map(({ hit }) => hit);
}
