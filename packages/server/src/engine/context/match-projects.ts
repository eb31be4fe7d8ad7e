import type { ProjectRoute } from './project-routes.js';

interface ProjectMatch {
  /** Projects that match equally well; empty if none matches. */
  best: readonly ProjectRoute[];
  kind: 'alias' | 'keyword';
  /** 0 … 1: an alias counts more than keywords, several keywords more than one. */
  score: number;
}

/**
 * Finds the projects whose aliases, or else keywords, occur in a text as whole words, ignoring case. A project's own id
 * counts as an alias. A longer alias wins over a shorter one, more keywords over fewer.
 */
export function matchProjects(text: string, routes: readonly ProjectRoute[]): ProjectMatch {
  const words = wordsOf(text);
  const starts = new Map<string, number[]>();
  for (const [at, word] of words.entries()) starts.set(word, [...(starts.get(word) ?? []), at]);
  const occurs = (phrase: readonly string[]) =>
    (starts.get(phrase[0] ?? '') ?? []).some((at) => phrase.every((word, offset) => words[at + offset] === word));

  const byAlias = highest(routes, ({ projectId, aliases }) =>
    Math.max(
      0,
      ...[projectId, ...aliases]
        .map(wordsOf)
        .filter(occurs)
        .map(({ length }) => length),
    ),
  );
  if (byAlias.best.length > 0) return { best: byAlias.best, kind: 'alias', score: byAlias.best.length === 1 ? 1 : 0.5 };
  const byKeyword = highest(routes, ({ keywords }) => keywords.map(wordsOf).filter(occurs).length);
  const share = byKeyword.weight / (byKeyword.weight + 1);
  return { best: byKeyword.best, kind: 'keyword', score: byKeyword.best.length > 1 ? share / 2 : share };
}

function highest(routes: readonly ProjectRoute[], weigh: (route: ProjectRoute) => number) {
  let weight = 0;
  let best: ProjectRoute[] = [];
  for (const route of routes) {
    const own = weigh(route);
    if (own === 0 || own < weight) continue;
    if (own > weight) best = [];
    weight = own;
    best.push(route);
  }
  return { best, weight };
}

/** Splits a text into runs of letters and digits, ignoring compatibility forms and case. */
function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  );
}
