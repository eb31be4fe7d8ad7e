/** Returns the words in lower case; in scripts without spaces, pairs of characters. @param {string} text */
function wordsOf(text) {
  const plain = text.normalize('NFKC').toLowerCase();
  const words = (plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((run) => {
    const characters = [...run];
    const isSpaced = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(run);
    return isSpaced || characters.length === 1 ? run : characters.slice(1).map((end, at) => `${characters[at]}${end}`);
  });
  return new Set(words);
}

/** Scores texts by the query words they contain; rare words count more. @param {string[]} texts @param {string} query */
function scoreByWords(texts, query) {
  const bags = texts.map(wordsOf);
  const wanted = [...wordsOf(query)];
  const holders = wanted.map((word) => bags.filter((bag) => bag.has(word)).length);
  const weights = holders.map((count) => Math.log(1 + texts.length / Math.max(1, count)));
  return bags.map((bag) => wanted.reduce((sum, word, at) => sum + (bag.has(word) ? (weights[at] ?? 0) : 0), 0));
}

/** Returns undefined if the vectors cannot be compared. @param {number[] | undefined} one @param {number[] | undefined} other */
function cosine(one, other) {
  if (one === undefined || one.length !== other?.length) return undefined;
  const dot = one.reduce((total, number, index) => total + number * (other[index] ?? 0), 0);
  const similarity = dot / (Math.hypot(...one) * Math.hypot(...other));
  return Number.isFinite(similarity) ? similarity : undefined;
}

/** Scores each memory by words, vector or both; undefined means no match. @typedef {number[] | undefined} Vector
 * @param {{ content: string, embedding?: Vector }[]} memories @param {string | undefined} query @param {Vector} embedding */
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
