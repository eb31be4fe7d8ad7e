/** A part of a Markdown text. */
interface MarkdownSection {
  /** The headings that it is under, and a number if there are several of the same. */
  key: string;
  headings: readonly string[];
  /** Its text below its innermost heading, which is its first line. */
  text: string;
}

const mostCharacters = 2000;
const longestHeading = 300;
const headingForm = /^(#{1,6})\s+(.+?)\s*#*$/;
/** Claude's memories have lines in bold instead of headings. */
const boldForm = /^\*\*([^*]+)\*\*:?$/;
const fenceForm = /^\s*(?:```|~~~)/;

/** Cuts Markdown by its headings, and long sections between their paragraphs. */
export function cutSections(markdown: string): MarkdownSection[] {
  const sections: MarkdownSection[] = [];
  const counts = new Map<string, number>();
  let headings: string[] = [];
  let lines: string[] = [];
  const close = () => {
    for (const text of cutParagraphs(lines.join('\n').trim())) {
      const path = headings.filter((heading) => heading !== '').join(' / ');
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      const own = headings.at(-1) ?? '';
      sections.push({
        key: count === 1 ? path : `${path} (${count})`,
        headings,
        text: own === '' ? text : `${own}\n${text}`,
      });
    }
    lines = [];
  };
  let isCode = false;
  for (const line of markdown.split(/\r?\n/)) {
    if (fenceForm.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : readHeading(line, headings.length);
    if (heading === undefined) {
      lines.push(line);
      continue;
    }
    close();
    headings = [
      ...headings.slice(0, heading.level - 1),
      ...Array(Math.max(0, heading.level - 1 - headings.length)).fill(''),
    ];
    headings = [...headings, heading.title];
  }
  close();
  return sections;
}

function readHeading(line: string, depth: number): { level: number; title: string } | undefined {
  if (line.length > longestHeading) return undefined;
  const [, marks, title = ''] = headingForm.exec(line) ?? [];
  if (marks !== undefined) return { level: marks.length, title };
  const [, bold] = boldForm.exec(line.trim()) ?? [];
  return bold === undefined || depth > 1 ? undefined : { level: 1, title: bold.trim() };
}

function cutParagraphs(text: string): string[] {
  if (text === '') return [];
  const pieces: string[] = [];
  let piece = '';
  for (const paragraph of text.split(/\n{2,}/)) {
    if (piece !== '' && piece.length + paragraph.length > mostCharacters) {
      pieces.push(piece);
      piece = '';
    }
    piece = piece === '' ? paragraph : `${piece}\n\n${paragraph}`;
  }
  return [...pieces, piece];
}
