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
 * Throws PATH_NOT_WRITABLE when an operation reaches outside what the binding lets be written. A rule covers its place and
 * all below it; a denied place also protects what is around it from being replaced as a whole. `from` of move and copy
 * counts like a target: nothing is carried out of a place that the caller may not touch. `test` only looks.
 */
export function checkPathPolicy(binding: Binding, operations: readonly PatchOperation[]): void {
  if (operations.length > binding.maxOps) {
    throw new Problem(
      'PATCH_TOO_LARGE',
      `The patch has ${operations.length} operations, the binding ${binding.bindingId} takes ${binding.maxOps}: split it.`,
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

/** Throws PATH_NOT_WRITABLE when a replacement changes what is at a denied place. */
export function checkDenied({ bindingId, denied }: Binding, before: Json, after: Json): void {
  for (const place of denied) {
    const [was, is] = [getAt(before, place), getAt(after, place)];
    if (was === is || (was !== undefined && is !== undefined && jsonEqual(was, is))) continue;
    const path = formatPointer(place);
    const reason = 'it must not be written';
    throw new Problem(
      'PATH_NOT_WRITABLE',
      `The document cannot change ${path} through the binding ${bindingId}: ${reason}.`,
      {
        details: { path, binding_id: bindingId, reason },
      },
    );
  }
}

function refuse(binding: Binding, { op }: PatchOperation, segments: readonly string[]): string | undefined {
  if (segments[0] !== 'content') return 'only what is under /content can be patched';
  if (op === 'test') return undefined;
  if (!binding.writable.some((rule) => startsWithSegments(rule.segments, segments)))
    return 'no rule lets it be written';
  const denied = binding.denied.some(
    (place) => startsWithSegments(place, segments) || startsWithSegments(segments, place),
  );
  return denied ? 'it is, or contains, a place that must not be written' : undefined;
}

function notWritable(index: number, pointer: string, reason: string, binding: Binding): Problem {
  return new Problem(
    'PATH_NOT_WRITABLE',
    `Operation ${index} cannot touch ${JSON.stringify(pointer.slice(0, 200))} through the binding ${binding.bindingId}: ${reason}.`,
    { details: { index, path: pointer.slice(0, 200), binding_id: binding.bindingId, reason } },
  );
}
