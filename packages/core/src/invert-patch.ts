import { applyPatch } from './apply-patch.js';
import type { Json } from './json.js';
import type { PatchOperation } from './json-patch.js';
import { formatPointer, getAt, parsePointer } from './json-pointer.js';

/** Returns operations that lead back from the patched document to this one. Throws PATCH_APPLY_FAILED if they do not apply to it. */
export function invertPatch(document: Json, ops: readonly PatchOperation[]): PatchOperation[] {
  const inverse: PatchOperation[] = [];
  let state = document;
  for (const operation of ops) {
    for (const step of stepsOf(state, operation)) {
      inverse.unshift(...invert(state, step));
      state = applyPatch(state, [step]);
    }
  }
  return inverse;
}

/** Takes a move apart: what it overwrites and what it takes away are two changes. */
function stepsOf(state: Json, operation: PatchOperation): PatchOperation[] {
  if (operation.op !== 'move') return [operation];
  const { from, path } = operation;
  const value = getAt(state, parsePointer(from));
  if (value === undefined || from === path) return [operation];
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value },
  ];
}

function invert(state: Json, operation: PatchOperation): PatchOperation[] {
  const segments = parsePointer(operation.path);
  const old = getAt(state, segments);
  switch (operation.op) {
    case 'add':
    case 'copy': {
      const parent = getAt(state, segments.slice(0, -1));
      if (segments.length > 0 && Array.isArray(parent)) {
        const index = segments.at(-1) === '-' ? String(parent.length) : (segments.at(-1) ?? '');
        return [{ op: 'remove', path: formatPointer([...segments.slice(0, -1), index]) }];
      }
      return old === undefined
        ? [{ op: 'remove', path: operation.path }]
        : [{ op: 'replace', path: operation.path, value: old }];
    }
    case 'remove':
      return old === undefined ? [] : [{ op: 'add', path: operation.path, value: old }];
    case 'replace':
      return old === undefined ? [] : [{ op: 'replace', path: operation.path, value: old }];
    default:
      return [];
  }
}
