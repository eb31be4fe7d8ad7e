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
  const matcher = new ProjectMatcher(routes);
  matcher.read(text);
  return matcher.match();
}

type Phrases = readonly (readonly string[])[];

/** Does what `matchProjects` does for a text that is read piece by piece. A phrase must be within one piece. */
export class ProjectMatcher {
  readonly #routes: readonly { route: ProjectRoute; aliases: Phrases; keywords: Phrases }[];
  readonly #found = new Set<readonly string[]>();

  constructor(routes: readonly ProjectRoute[]) {
    this.#routes = routes.map((route) => ({
      route,
      aliases: [route.projectId, ...route.aliases].map(wordsOf),
      keywords: route.keywords.map(wordsOf),
    }));
  }

  read(text: string): void {
    const phrases = this.#routes.flatMap(({ aliases, keywords }) => [...aliases, ...keywords]);
    for (const phrase of findPhrases(wordsOf(text), phrases)) this.#found.add(phrase);
  }

  match(): ProjectMatch {
    const byAlias = this.#highest(
      ({ aliases }) => aliases,
      (found) => found.reduce((longest, { length }) => Math.max(longest, length), 0),
    );
    if (byAlias.best.length > 0)
      return { best: byAlias.best, kind: 'alias', score: byAlias.best.length === 1 ? 1 : 0.5 };
    const byKeyword = this.#highest(
      ({ keywords }) => keywords,
      (found) => found.length,
    );
    const share = byKeyword.weight / (byKeyword.weight + 1);
    return { best: byKeyword.best, kind: 'keyword', score: byKeyword.best.length > 1 ? share / 2 : share };
  }

  #highest(phrasesOf: (of: { aliases: Phrases; keywords: Phrases }) => Phrases, weigh: (found: Phrases) => number) {
    let weight = 0;
    let best: ProjectRoute[] = [];
    for (const { route, ...phrases } of this.#routes) {
      const own = weigh(phrasesOf(phrases).filter((phrase) => this.#found.has(phrase)));
      if (own === 0 || own < weight) continue;
      if (own > weight) best = [];
      weight = own;
      best.push(route);
    }
    return { best, weight };
  }
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
