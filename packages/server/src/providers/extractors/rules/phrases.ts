/**
 * Builds alternatives of a regular expression from a comma-separated list, longest first. A space matches any white
 * space, and an apostrophe is optional, since people omit it; everything else is a regular expression without commas.
 */
export function phrases(list: string): string {
  const items = list
    .split(',')
    .map((item) => item.trim().replace(/\s+/g, '\\s').replaceAll("'", "'?"))
    .filter((item) => item !== '');
  return `(?:${items.sort((a, b) => b.length - a.length).join('|')})`;
}
