import {
  formatPointer,
  getAt,
  type Json,
  jsonEqual,
  type PatchOperation,
  Problem,
  parsePointer,
  startsWithSegments,
} from '@memhall/core';
import type { Binding } from './profile.js';

/**
 * Throws PATCH_TOO_LARGE, or PATH_NOT_WRITABLE if an operation touches anything that the binding does not make writable. A rule
 * covers its place and everything below it. A denied place also prevents whatever contains it from being replaced as a whole.
 * `from` of move and copy counts like a target: nothing can be taken out of a place that the caller may not write. `test` only
 * reads.
 */
export function checkPathPolicy(binding: Binding, operations: readonly PatchOperation[]): void {
  if (operations.length > binding.maxOps) {
    throw new Problem(
      'PATCH_TOO_LARGE',
      `The patch has ${operations.length} operations, but the binding ${binding.bindingId} allows ${binding.maxOps}: split it.`,
      { details: { operations: operations.length, max_ops: binding.maxOps } },
    );
  }
  for (const [index, operation] of operations.entries()) {
    for (const pointer of 'from' in operation ? [operation.from, operation.path] : [operation.path]) {
      const reason = refuse(binding, operation, parsePointer(pointer));
      if (reason !== undefined) throw notWritable(index, pointer, reason, binding);
    }
  }
}

/** Throws PATH_NOT_WRITABLE if a replacement changes a denied place. */
export function checkDenied({ bindingId, denied }: Binding, before: Json, after: Json): void {
  for (const place of denied) {
    const [was, is] = [getAt(before, place), getAt(after, place)];
    if (was === is || (was !== undefined && is !== undefined && jsonEqual(was, is))) continue;
    const path = formatPointer(place);
    const reason = 'it is not writable';
    throw new Problem(
      'PATH_NOT_WRITABLE',
      `A replacement cannot change ${path} through the binding ${bindingId}: ${reason}.`,
      {
        details: { path, binding_id: bindingId, reason },
      },
    );
  }
}

function refuse(binding: Binding, { op }: PatchOperation, segments: readonly string[]): string | undefined {
  if (segments[0] !== 'content') return 'only /content can be patched';
  if (op === 'test') return undefined;
  if (!binding.writable.some((rule) => startsWithSegments(rule.segments, segments))) return 'no rule makes it writable';
  const denied = binding.denied.some(
    (place) => startsWithSegments(place, segments) || startsWithSegments(segments, place),
  );
  return denied ? 'it is inside or contains a place that is not writable' : undefined;
}

function notWritable(index: number, pointer: string, reason: string, binding: Binding): Problem {
  return new Problem(
    'PATH_NOT_WRITABLE',
    `Operation ${index} cannot access ${JSON.stringify(pointer.slice(0, 200))} through the binding ${binding.bindingId}: ${reason}.`,
    { details: { index, path: pointer.slice(0, 200), binding_id: binding.bindingId, reason } },
  );
}
