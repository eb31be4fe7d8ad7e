import { findPhrases } from './find-phrases.js';
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
  const byAlias = highest(words, routes, {
    phrasesOf: ({ projectId, aliases }) => [projectId, ...aliases],
    weigh: (found) => found.reduce((longest, { length }) => Math.max(longest, length), 0),
  });
  if (byAlias.best.length > 0) return { best: byAlias.best, kind: 'alias', score: byAlias.best.length === 1 ? 1 : 0.5 };
  const byKeyword = highest(words, routes, {
    phrasesOf: ({ keywords }) => keywords,
    weigh: (found) => found.length,
  });
  const share = byKeyword.weight / (byKeyword.weight + 1);
  return { best: byKeyword.best, kind: 'keyword', score: byKeyword.best.length > 1 ? share / 2 : share };
}

interface Measure {
  phrasesOf(route: ProjectRoute): readonly string[];
  /** Gets the words of the phrases that occur. */
  weigh(found: readonly (readonly string[])[]): number;
}

function highest(words: readonly string[], routes: readonly ProjectRoute[], { phrasesOf, weigh }: Measure) {
  const phrases = routes.map((route) => phrasesOf(route).map(wordsOf));
  const found = findPhrases(words, phrases.flat());
  let weight = 0;
  let best: ProjectRoute[] = [];
  for (const [index, route] of routes.entries()) {
    const own = weigh((phrases[index] ?? []).filter((phrase) => found.has(phrase)));
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
