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
  const cut = new Cut();
  let number = 0;
  for (const raw of text.split('\n')) {
    number += 1;
    const line = raw.trimEnd();
    if (line === '' && !cut.isOpen) continue;
    const isBlocked = line.startsWith(blockedMark);
    const isTooLong = line.length > longest;
    const isHeading = line.startsWith('#') && /^#{1,6}\s/.test(line);
    if (isBlocked || isTooLong || isHeading || cut.lengthWith(line) > longest) cut.close();
    if (isBlocked) continue;
    if (isTooLong) for (const part of splitText(line, longest)) cut.add(part, number);
    else cut.extend(line, number);
  }
  cut.close();
  return cut.pieces;
}

class Cut {
  readonly pieces: TierPiece[] = [];
  /** The lines of the piece that is not complete yet. */
  #lines: string[] = [];
  #length = 0;
  #firstLine = 0;

  get isOpen(): boolean {
    return this.#lines.length > 0;
  }

  lengthWith(line: string): number {
    return this.isOpen ? this.#length + 1 + line.length : line.length;
  }

  /** Adds a line to the piece, or begins one with it, unless it is empty. */
  extend(line: string, number: number): void {
    if (!this.isOpen) {
      if (line === '') return;
      this.#firstLine = number;
    }
    this.#length = this.lengthWith(line);
    this.#lines.push(line);
  }

  close(): void {
    if (this.isOpen) this.add(this.#lines.join('\n'), this.#firstLine);
    this.#lines = [];
  }

  add(text: string, line: number): void {
    const trimmed = text.trimEnd();
    if (trimmed !== '') this.pieces.push({ text: trimmed, line });
  }
}
