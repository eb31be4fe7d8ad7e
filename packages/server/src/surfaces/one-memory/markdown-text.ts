/** Stored text within Markdown. It is shown, never carried out: no headings, no HTML, no images that would be loaded. */

/** Returns stored text for one line. */
export function inline(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return harmless(lines.filter((line) => line !== '').join(' '));
}

/** Returns stored text for an item of a list. Its further lines are indented. */
export function item(text: string): string {
  return harmless(text.trim()).replaceAll(/\n/g, '\n  ');
}

/** Returns stored text as a quotation. */
export function quoted(text: string): string {
  return `> ${harmless(text.trim()).replaceAll(/\n/g, '\n> ')}`;
}

function harmless(text: string): string {
  return text
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')
    .replaceAll('![', '!\\[')
    .replaceAll(/^([ \t]*)(#{1,6}\s|={3,}|-{3,}|`{3,}|~{3,})/gm, '$1\\$2');
}

/** Returns a fence that is longer than any in the text. */
export function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  return '`'.repeat(longest + 1);
}
