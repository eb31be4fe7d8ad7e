/**
 * Builds alternatives of a regular expression from a comma-separated list, longest first. A space matches any white
 * space, and an apostrophe is optional, since people omit it; everything else is a regular expression without commas.
 * Repeated items count once: in a loop they would take exponential time.
 */
export function phrases(list: string): string {
  const items = list
    .split(',')
    .map((item) => item.trim().replace(/\s+/g, '\\s').replaceAll("'", "'?"))
    .filter((item) => item !== '');
  return `(?:${[...new Set(items)].sort((a, b) => b.length - a.length).join('|')})`;
}

/**
 * ASCII, Latin with its marks, Greek and Cyrillic. Words of other scripts do not stand next to the words of a rule, and
 * `\p{L}` takes a hundred times longer to compile.
 */
const wordCharacter = '[\\w\\u00c0-\\u024f\\u0300-\\u052f\\u1e00-\\u1eff]';
/** Before a word: followed by letters or a group of words. */
const start = /\\b(?=\(\?[:<]|\(?[\p{L}\d]|\\[pdw]|\[[a-z\\]|\(\?=\[)/gu;

const compiled = new Map<string, RegExp>();

/** Returns the patterns that were compiled so far. */
export function knownPatterns(): RegExp[] {
  return [...compiled.values()];
}

/**
 * Compiles a pattern in which `\b` is where a word of any letters starts or ends. JavaScript's own boundary knows only
 * ASCII: it finds the word "in" in "Inês". Patterns are part of the code, so there are few, and each is compiled once.
 */
export function toPattern(pattern: string | RegExp, flags = 'iu'): RegExp {
  const [source, given] = typeof pattern === 'string' ? [pattern, flags] : [pattern.source, pattern.flags];
  const key = `${given}:${source}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const all = given.includes('u') ? given : `${given}u`;
  const bounded = source.replace(start, `(?<!${wordCharacter})`).replaceAll('\\b', `(?!${wordCharacter})`);
  const made = new RegExp(bounded, all);
  compiled.set(key, made);
  return made;
}
