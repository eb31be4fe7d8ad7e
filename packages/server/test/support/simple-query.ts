/**
 * The simple query syntax of Azure AI Search with `searchMode: any`: words, `+`, `-`, `*` at the end of a word, and a backslash
 * before a sign. An empty query and `*` match everything; so does a word after `-` that a text lacks. Returns a score above 0 for
 * texts that match, 1 for each word.
 */
export function matchSimpleQuery(query: string): (text: string) => number {
  if (query.trim() === '' || query.trim() === '*') return () => 1;
  const clauses = query
    .trim()
    .split(/\s+/)
    .map((part) => {
      const isNegated = part.startsWith('-');
      const isPrefix = part.endsWith('*') && !part.endsWith('\\*');
      const words = wordsOf(part.replace(/\\(.)/g, '$1'));
      return { isNegated, isPrefix, words };
    });
  return (text) => {
    const present = new Set(wordsOf(text));
    const has = (word: string, isPrefix: boolean) =>
      isPrefix ? [...present].some((one) => one.startsWith(word)) : present.has(word);
    return clauses.filter(({ isNegated, isPrefix, words }) =>
      isNegated
        ? !words.some((word) => has(word, isPrefix))
        : words.length > 0 && words.every((word) => has(word, isPrefix)),
    ).length;
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}']+/gu) ?? [];
}
