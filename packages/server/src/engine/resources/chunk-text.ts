import { splitText } from '@memhall/core';
import type { TextLayout } from '../../ports/file-reader.js';

/** In characters. A chunk of this length fits the window of small embedders. */
const longest = 1000;
/** In characters. A shorter chunk continues into the next section. */
const shortest = 200;

export interface Chunk {
  text: string;
  /** Headings above it, outermost first. For a table, the names of its columns. */
  headings: readonly string[];
}

/** Cuts a text along its structure: at headings, else between paragraphs, else between lines and sentences. */
export function chunkText(text: string, layout: TextLayout): Chunk[] {
  return layout === 'rows' ? chunkRows(text) : chunkParagraphs(text);
}

function chunkRows(text: string): Chunk[] {
  const [header = '', ...rows] = text.split(/\r?\n/).filter((row) => row.trim() !== '');
  if (rows.length === 0) return splitText(header, longest).map((piece) => ({ text: piece, headings: [] }));
  const headings = [header.slice(0, longest).toWellFormed()];
  return pack(rows.flatMap((row) => splitText(row, longest))).map((piece) => ({ text: piece, headings }));
}

/** Joins lines as long as they fit. */
function pack(lines: readonly string[]): string[] {
  const packed: string[] = [];
  let current = '';
  for (const line of lines) {
    if (current !== '' && current.length + 1 + line.length > longest) {
      packed.push(current);
      current = '';
    }
    current = current === '' ? line : `${current}\n${line}`;
  }
  return current === '' ? packed : [...packed, current];
}

function chunkParagraphs(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  const trail: string[] = [];
  let parts: string[] = [];
  let size = 0;
  let headings: readonly string[] = [];
  const close = () => {
    if (parts.length > 0) chunks.push({ text: parts.join('\n\n'), headings });
    parts = [];
    size = 0;
  };
  for (const paragraph of paragraphsOf(text)) {
    const heading = /^(#{1,6})\s+(\S.*)$/.exec(paragraph);
    if (heading !== null && size >= shortest) close();
    if (heading !== null) {
      trail.splice((heading[1]?.length ?? 1) - 1);
      trail.push((heading[2] ?? '').slice(0, shortest).toWellFormed());
    }
    for (const piece of splitText(paragraph, longest)) {
      if (size > 0 && size + 2 + piece.length > longest) close();
      if (parts.length === 0) headings = [...trail];
      parts.push(piece);
      size += piece.length + 2;
    }
  }
  close();
  return chunks;
}

/** Works line by line, since a pattern over the whole text could scan a long run of blanks again and again. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  let lines: string[] = [];
  const close = () => {
    if (lines.length > 0) paragraphs.push(lines.join('\n'));
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const isHeading = /^#{1,6}\s+\S/.test(line);
    if (isHeading || line.trim() === '') close();
    if (line.trim() === '') continue;
    lines.push(line.trimEnd());
    if (isHeading) close();
  }
  close();
  return paragraphs;
}
