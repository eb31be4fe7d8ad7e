import { type Json, Problem } from '@memhall/core';
import type { Binding } from './profile.js';

/** Returns the number of characters of the content as JSON, which `max_chars` limits. */
export function contentChars(content: Json): number {
  return JSON.stringify(content).length;
}

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
