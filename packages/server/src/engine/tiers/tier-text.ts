import { Buffer } from 'node:buffer';
import type { Json, PatchOperation } from '@memhall/core';

/** What a placeholder for a text in quarantine begins with. */
export const blockedMark = '[BLOCKED:';

/** The text of a tier's document. What somebody put there from outside may have any shape. */
export function toText(content: { [key: string]: Json } | undefined): string {
  const lines = content?.lines;
  return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string').join('\n') : '';
}

export function toLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** What is added begins on a line of its own. */
export function appendText(text: string, added: string): string {
  if (text === '' || added === '') return text + added;
  return text.endsWith('\n') ? text + added : `${text}\n${added}`;
}

export function sizeBytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** More operations than these tell less than the whole. */
const maxOps = 50;

/** From one text to another: where only its end changed, the history has that alone. */
export function opsBetween(before: readonly string[], after: readonly string[]): PatchOperation[] {
  const differs = before.findIndex((line, index) => line !== after[index]);
  const kept = differs < 0 ? before.length : differs;
  if (kept === 0 || before.length + after.length - 2 * kept > maxOps) {
    return [{ op: 'replace', path: '/content/lines', value: [...after] }];
  }
  const removed = before.slice(kept).map((_, index) => before.length - 1 - index);
  return [
    ...removed.map((index): PatchOperation => ({ op: 'remove', path: `/content/lines/${index}` })),
    ...after.slice(kept).map((value): PatchOperation => ({ op: 'add', path: '/content/lines/-', value })),
  ];
}
