/**
 * Alternatives of a regular expression from a list with commas, longest first. Spaces stand for any space, an
 * apostrophe may be missing as people leave it out; everything else is a regular expression without commas.
 */
export function phrases(list: string): string {
  const items = list
    .split(',')
    .map((item) => item.trim().replace(/\s+/g, '\\s').replaceAll("'", "'?"))
    .filter((item) => item !== '');
  return `(?:${items.sort((a, b) => b.length - a.length).join('|')})`;
}
