/** Words in lower case; scripts without spaces as pairs of characters. @param {string} text */
function wordsOf(text) {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) => {
    const isSpaced = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(run);
    return isSpaced || run.length === 1 ? [run] : [...run].slice(1).map((end, index) => `${[...run][index]}${end}`);
  });
}

/** BM25: rare words count more, long texts less. 0: no word in common. @param {string[]} texts @param {string} query */
function scoreByWords(texts, query) {
  const wanted = [...new Set(wordsOf(query))];
  const bags = texts.map((text) => ({ length: wordsOf(text).length, counts: countWords(text) }));
  const averageLength = bags.reduce((total, { length }) => total + length, 0) / bags.length;
  const holders = wanted.map((word) => bags.filter(({ counts }) => counts.has(word)).length);
  const rarity = holders.map((holding) => Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5)));
  return bags.map(({ length, counts }) =>
    wanted.reduce((total, word, index) => {
      const count = counts.get(word) ?? 0;
      return total + ((rarity[index] ?? 0) * count * 2.2) / (count + 0.3 + (0.9 * length) / averageLength);
    }, 0),
  );
}

/** @param {string} text @returns {Map<string, number>} */
function countWords(text) {
  const counts = new Map();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** undefined when they cannot be compared. @param {number[] | undefined} one @param {number[] | undefined} other */
function cosine(one, other) {
  if (one === undefined || one.length !== other?.length) return undefined;
  const dot = one.reduce((total, number, index) => total + number * (other[index] ?? 0), 0);
  const similarity = dot / (Math.hypot(...one) * Math.hypot(...other));
  return Number.isFinite(similarity) ? similarity : undefined;
}

/**
 * How well each memory fits, by words, vector or both; undefined: not at all.
 * @param {{ content: string, embedding?: number[] | undefined }[]} memories @param {string | undefined} query @param {number[] | undefined} embedding
 */
export function scoreAll(memories, query, embedding) {
  const contents = memories.map(({ content }) => content);
  const byWords = query === undefined ? [] : scoreByWords(contents, query);
  const best = Math.max(Number.MIN_VALUE, ...byWords);
  return memories.map((memory, index) => {
    const words = (byWords[index] ?? 0) / best;
    const similarity = cosine(memory.embedding, embedding);
    if (words === 0 && similarity === undefined) return undefined;
    return words + (similarity === undefined ? 0 : (similarity + 1) / 2);
  });
}
