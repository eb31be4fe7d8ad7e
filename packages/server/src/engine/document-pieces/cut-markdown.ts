/** A part of a text that says one thing. */
export interface TextBlock {
  text: string;
  /** The headings that it is under, from the outside in. */
  headings?: string | undefined;
}

const heading = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const fence = /^ {0,3}(?:```|~~~)/;

/**
 * Yields the paragraphs, list items and blocks of code of a text in Markdown, in order. Lines of one paragraph and what continues a list
 * item belong together. Headings are not parts themselves: they say what the parts under them are about.
 */
export function* cutMarkdown(text: string): Generator<TextBlock> {
  const above: string[] = [];
  let open: string[] = [];
  let isCode = false;
  const close = function* (): Generator<TextBlock> {
    const block = open.join('\n').trim();
    open = [];
    if (block !== '') yield { text: block, headings: above.filter(Boolean).join('\n') };
  };
  for (const line of text.split('\n')) {
    const found = isCode ? null : heading.exec(line);
    if (fence.test(line)) {
      if (!isCode) yield* close();
      open.push(line.trimEnd());
      if (isCode) yield* close();
      isCode = !isCode;
    } else if (isCode) {
      open.push(line.trimEnd());
    } else if (found !== null) {
      yield* close();
      const [, marks = '', words = ''] = found;
      above.length = Math.min(above.length, marks.length - 1);
      above[marks.length - 1] = words;
    } else if (line.trim() === '') {
      yield* close();
    } else {
      if (listItem.test(line)) yield* close();
      open.push(open.length === 0 ? line.replace(listItem, '').trim() : line.trim());
    }
  }
  yield* close();
}
