import { splitText } from '../memories/split-text.js';
import { blockedMark } from './tier-text.js';

export interface TierPiece {
  text: string;
  /** Of its first line in the whole text, from 1. */
  line: number;
}

/** Whole lines together, up to so many characters; a heading begins a piece. What is added at the end changes the last piece alone. */
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
