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
 * Returns the paragraphs, list items and blocks of code of a text in Markdown, in order. Lines of one paragraph and what continues a list
 * item belong together. Headings are not parts themselves: they say what the parts under them are about.
 */
export function cutMarkdown(text: string): TextBlock[] {
  const cutter = new MarkdownCutter();
  for (const line of text.split('\n')) cutter.add(line);
  return cutter.end();
}

class MarkdownCutter {
  readonly #blocks: TextBlock[] = [];
  /** By level; levels that were left out are empty. */
  readonly #above: string[] = [];
  #open: string[] = [];
  #isCode = false;

  add(line: string): void {
    if (fence.test(line)) this.#addFence(line);
    else if (this.#isCode) this.#open.push(line.trimEnd());
    else this.#addText(line);
  }

  end(): TextBlock[] {
    this.#close();
    return this.#blocks;
  }

  #addFence(line: string): void {
    if (!this.#isCode) this.#close();
    this.#open.push(line.trimEnd());
    if (this.#isCode) this.#close();
    this.#isCode = !this.#isCode;
  }

  #addText(line: string): void {
    const found = heading.exec(line);
    const startsBlock = found !== null || line.trim() === '' || listItem.test(line);
    if (startsBlock) this.#close();
    if (found !== null) {
      const [, marks = '', words = ''] = found;
      this.#above.length = Math.min(this.#above.length, marks.length - 1);
      this.#above[marks.length - 1] = words;
    } else if (line.trim() !== '') {
      this.#open.push(this.#open.length === 0 ? line.replace(listItem, '').trim() : line.trim());
    }
  }

  #close(): void {
    const text = this.#open.join('\n').trim();
    this.#open = [];
    if (text !== '') this.#blocks.push({ text, headings: this.#above.filter(Boolean).join('\n') });
  }
}
