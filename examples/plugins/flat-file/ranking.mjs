/** @typedef {{ content: string, embedding?: number[] }} Searchable */

/** Words in lower case; scripts without spaces as pairs of characters. @param {string} text */
export function wordsOf(text) {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return runs.flatMap((run) => {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(run)) return [run];
    const characters = [...run];
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}

/**
 * How well each text fits the query, by BM25: rare words count more, long texts less. 0: no word in common.
 * @param {readonly Searchable[]} texts @param {string} query
 */
export function scoreByWords(texts, query) {
  const wanted = new Set(wordsOf(query));
  const bags = texts.map(({ content }) => wordsOf(content));
  const averageLength = bags.reduce((total, { length }) => total + length, 0) / Math.max(1, bags.length);
  const counts = bags.map((bag) => {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const word of bag) if (wanted.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
    return found;
  });
  const rarity = new Map(
    [...wanted].map((word) => {
      const holders = counts.filter((found) => found.has(word)).length;
      return [word, Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  return counts.map((found, index) => {
    const length = (bags[index]?.length ?? 0) / Math.max(1, averageLength);
    return [...found].reduce((total, [word, count]) => {
      const weight = (count * 2.2) / (count + 1.2 * (0.25 + 0.75 * length));
      return total + (rarity.get(word) ?? 0) * weight;
    }, 0);
  });
}

/** Cosine of two vectors; undefined when they cannot be compared. @param {number[] | undefined} one @param {number[]} other */
export function cosine(one, other) {
  if (one === undefined || one.length !== other.length) return undefined;
  const dot = one.reduce((total, number, index) => total + number * (other[index] ?? 0), 0);
  const lengths = Math.hypot(...one) * Math.hypot(...other);
  return Number.isFinite(dot / lengths) ? dot / lengths : undefined;
}

/**
 * Scores of those that match, by words, vector or both; undefined: no match.
 * @param {readonly Searchable[]} texts @param {{ query?: string | undefined, embedding?: number[] | undefined }} question
 */
export function scoreAll(texts, { query, embedding }) {
  const byWords = query === undefined ? [] : scoreByWords(texts, query);
  const best = Math.max(...byWords, Number.MIN_VALUE);
  return texts.map((text, index) => {
    const words = (byWords[index] ?? 0) / best;
    const similarity = embedding === undefined ? undefined : cosine(text.embedding, embedding);
    if (words === 0 && similarity === undefined) return undefined;
    return words + (similarity === undefined ? 0 : (similarity + 1) / 2);
  });
}
