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
  const add = (piece: string, line: number) => {
    const trimmed = piece.trimEnd();
    if (/\S/u.test(trimmed)) pieces.push({ text: trimmed, line });
  };
  let open: string[] = [];
  let openLength = 0;
  let firstLine = 0;
  const close = () => {
    if (open.length > 0) add(open.join('\n'), firstLine);
    open = [];
  };
  let number = 0;
  for (const raw of text.split('\n')) {
    number += 1;
    const line = raw.trimEnd();
    if (line === '' && open.length === 0) continue;
    if (line.startsWith(blockedMark)) {
      close();
      continue;
    }
    const isTooLong = line.length > longest;
    if (isTooLong || openLength + 1 + line.length > longest || /^#{1,6}\s/.test(line)) close();
    if (isTooLong) {
      for (const part of splitText(line, longest)) add(part, number);
      continue;
    }
    if (open.length === 0 && line === '') continue;
    openLength = open.length === 0 ? line.length : openLength + 1 + line.length;
    if (open.length === 0) firstLine = number;
    open.push(line);
  }
  close();
  return pieces;
}
