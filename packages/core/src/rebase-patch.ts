import { applyPatch } from './apply-patch.js';
import type { Json } from './json.js';
import type { PatchOperation } from './json-patch.js';
import { parsePointer, startsWithSegments } from './json-pointer.js';
import { Divergence, PairedDocuments } from './paired-documents.js';

export interface RebaseInput {
  /** The document that the operations were made for. */
  base: Json;
  /** The current document, with the changes that others have made since. */
  latest: Json;
  ops: readonly PatchOperation[];
}

export interface RebaseConflict {
  /** Index of the operation that cannot be rebased. */
  index: number;
  /** Pointer to the conflicting value, in the document that the operation was made for. */
  path: string;
  reason: string;
}

/**
 * Returns operations that do to `latest` what the given operations do to `base` and keep the changes made by others.
 * Returns the first conflict if that is not possible. Throws Problem PATCH_APPLY_FAILED if the operations do not apply
 * to `base`.
 *
 * - Object members: others must not have changed the member or anything inside it. If they made exactly the same
 *   change, the operation is kept, although it then changes nothing; a removal is dropped.
 * - Array elements are followed to their current index. They are identified by value. It is a conflict if others
 *   changed the element, or if some of several equal elements were removed, because the remaining ones cannot be told
 *   apart.
 * - Insertions stay between the same neighbours. At index 0 they stay first; at the end (or `-`) they stay last.
 * - `test` must hold in `latest`. The source of `move` and `copy` must be unchanged; the target is treated as an `add`.
 * - Operations see the effects of earlier operations. Any doubt is a conflict.
 */
export function rebasePatch({
  base,
  latest,
  ops,
}: RebaseInput): { ops: PatchOperation[] } | { conflict: RebaseConflict } {
  applyPatch(base, ops);
  const documents = new PairedDocuments(base, latest);
  const rebased: PatchOperation[] = [];
  for (const [index, operation] of ops.entries()) {
    try {
      rebased.push(...carryOver(documents, operation));
    } catch (error) {
      if (!(error instanceof Divergence)) throw error;
      return { conflict: { index, path: error.path, reason: error.message } };
    }
  }
  return { ops: rebased };
}

function carryOver(documents: PairedDocuments, operation: PatchOperation): PatchOperation[] {
  switch (operation.op) {
    case 'add':
      return [{ ...operation, path: documents.add(operation.path, operation.value) }];
    case 'replace':
      return [{ ...operation, path: documents.replace(operation.path, operation.value) }];
    case 'test':
      return [{ ...operation, path: documents.locate(operation.path, operation.value) }];
    case 'remove': {
      const path = documents.remove(operation.path);
      return path === undefined ? [] : [{ op: 'remove', path }];
    }
    case 'copy': {
      const value = documents.take(operation.from);
      const from = documents.locate(operation.from, value);
      return [{ op: 'copy', from, path: documents.add(operation.path, value) }];
    }
    case 'move':
      return move(documents, operation.from, operation.path);
  }
}

function move(documents: PairedDocuments, source: string, target: string): PatchOperation[] {
  const value = documents.take(source);
  const from = documents.locate(source, value);
  if (source === target) return [{ op: 'move', from, path: from }];
  documents.remove(source);
  const path = documents.add(target, value);
  // The target pointer is relative to the document after the removal, so it can look as if it were inside the source.
  const looksInside = path !== from && startsWithSegments(parsePointer(from), parsePointer(path));
  if (!looksInside) return [{ op: 'move', from, path }];
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value },
  ];
}
