import { Buffer } from 'node:buffer';
import type { Json, PatchOperation } from '@memhall/core';

/** The start of a placeholder for a quarantined text. */
export const blockedMark = '[BLOCKED:';

/** Returns the text of a tier's document. Content that was not written through tiers may have any shape. */
export function toText(content: { [key: string]: Json } | undefined): string {
  const lines = content?.lines;
  return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string').join('\n') : '';
}

export function toLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Appends text, starting on a new line. */
export function appendText(text: string, added: string): string {
  if (text === '' || added === '') return text + added;
  return text.endsWith('\n') ? text + added : `${text}\n${added}`;
}

export function sizeBytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** With more operations than this, replacing the whole text is clearer. */
const maxOps = 50;

/** Returns the operations that lead from one text to another. If only the end changed, they contain only the end. */
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
