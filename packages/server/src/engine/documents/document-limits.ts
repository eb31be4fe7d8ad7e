import { type Json, Problem } from '@memhall/core';
import type { Binding } from './profile.js';

/** Returns the number of characters of the content as JSON, which `max_chars` limits. */
export function contentChars(content: Json): number {
  return JSON.stringify(content).length;
}

/** By how much a write exceeded a limit of its binding. */
export interface Excess {
  /** Pointer to the array that would have had too many elements; null if the content would have been too long. */
  section: string | null;
  /** Elements or characters over the limit. */
  over: number;
}

/** Returns undefined if the problem is not about a limit. */
export function excessOf({ code, details }: Problem): Excess | undefined {
  if (code === 'ARRAY_LIMIT_EXCEEDED') {
    return { section: String(details?.pointer), over: Number(details?.length) - Number(details?.limit) };
  }
  if (code !== 'DOCUMENT_SIZE_EXCEEDED') return undefined;
  return { section: null, over: Number(details?.size_chars) - Number(details?.max_chars) };
}

/** Codes of problems that `excessOf` describes. */
export const limitProblems = ['ARRAY_LIMIT_EXCEEDED', 'DOCUMENT_SIZE_EXCEEDED'] as const;

/** Throws DOCUMENT_SIZE_EXCEEDED or ARRAY_LIMIT_EXCEEDED. */
export function checkLimits(binding: Binding, content: { [key: string]: Json }, sizeChars: number): void {
  if (sizeChars > binding.maxChars) {
    throw new Problem(
      'DOCUMENT_SIZE_EXCEEDED',
      `The content would have ${sizeChars} characters, but the binding ${binding.bindingId} allows ${binding.maxChars}.`,
      { details: { size_chars: sizeChars, max_chars: binding.maxChars } },
    );
  }
  for (const [name, limit] of binding.arrayLimits) {
    const member = Object.hasOwn(content, name) ? content[name] : undefined;
    if (!Array.isArray(member) || member.length <= limit) continue;
    throw new Problem(
      'ARRAY_LIMIT_EXCEEDED',
      `/content/${name} would have ${member.length} elements, but the binding ${binding.bindingId} allows ${limit}.`,
      { details: { pointer: `/content/${name}`, length: member.length, limit } },
    );
  }
}
