import { splitText } from '@memhall/core';
import { blockedMark } from './tier-text.js';

interface TierPiece {
  text: string;
  /** Number of its first line in the whole text, from 1. */
  line: number;
}

/**
 * Joins whole lines into pieces of up to `longest` characters. A heading starts a new piece, a longer line is split, and
 * placeholders are left out. Appending to the text changes only the last piece.
 */
export function cutTier(text: string, longest: number): TierPiece[] {
  const pieces: TierPiece[] = [];
  let open: TierPiece | undefined;
  const close = () => {
    if (open !== undefined) pieces.push(open);
    open = undefined;
  };
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trimEnd();
    if (line.startsWith(blockedMark)) {
      close();
      continue;
    }
    if (line === '' && open === undefined) continue;
    if (/^#{1,6}\s/.test(line)) close();
    if (line.length > longest) {
      close();
      for (const part of splitText(line, longest)) pieces.push({ text: part, line: index + 1 });
      continue;
    }
    if (open !== undefined && open.text.length + 1 + line.length > longest) close();
    open = open === undefined ? startPiece(line, index + 1) : { text: `${open.text}\n${line}`, line: open.line };
  }
  close();
  return pieces.map((piece) => ({ ...piece, text: piece.text.trimEnd() })).filter(({ text }) => /\S/u.test(text));
}

function startPiece(line: string, number: number): TierPiece | undefined {
  return line === '' ? undefined : { text: line, line: number };
}
