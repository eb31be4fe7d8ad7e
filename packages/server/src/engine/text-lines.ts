import { Buffer } from 'node:buffer';
import type { Json, PatchOperation } from '@memhall/core';

/** Schema of documents that are one text in Markdown. */
export const textSchemaId = 'memhall.text';

/** A text in a document is stored as a list of lines, so that a small change of it is a small change in the document's history too. */

/** Returns the text of a document. Content that was written another way may have any shape. */
export function toText(content: { [key: string]: Json } | undefined): string {
  const lines = content?.lines;
  return Array.isArray(lines) ? lines.filter((line) => typeof line === 'string').join('\n') : '';
}

export function toLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

export function sizeBytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** With more operations than this, replacing the whole text is clearer. */
const maxOps = 50;

/** Returns the operations that lead from one text to another. Lines that both begin or end with are not in them. */
export function opsBetween(before: readonly string[], after: readonly string[]): PatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const removed = before.length - start - end;
  const added = after.slice(start, after.length - end);
  if (start + end === 0 || removed + added.length > maxOps) {
    return removed + added.length === 0 ? [] : [{ op: 'replace', path: '/content/lines', value: [...after] }];
  }
  return [
    ...Array.from({ length: removed }, (_, count): PatchOperation => {
      return { op: 'remove', path: `/content/lines/${start + removed - 1 - count}` };
    }),
    ...added.map((value, index): PatchOperation => {
      return { op: 'add', path: `/content/lines/${end === 0 ? '-' : start + index}`, value };
    }),
  ];
}
