import { applyPatch } from './apply-patch.js';
import type { Json } from './json.js';
import type { PatchOperation } from './json-patch.js';
import { parsePointer, startsWithSegments } from './json-pointer.js';
import { Divergence, PairedDocuments } from './paired-documents.js';

export interface RebaseInput {
  /** The document that the operations were made for. */
  base: Json;
  /** What others have made of it since. */
  latest: Json;
  ops: readonly PatchOperation[];
}

export interface RebaseConflict {
  /** Of the operation that cannot be carried over. */
  index: number;
  /** What it is about, in terms of the document that the operation was made for. */
  path: string;
  reason: string;
}

/**
 * Operations that do to `latest` what the given ones do to `base`, so that the changes of others stay; or the first conflict.
 * Problem PATCH_APPLY_FAILED if they do not apply to `base`.
 *
 * - Object members: others must not have changed the member itself or anything in it. If they made the very same
 *   change, the operation stays (it then changes nothing), or, if it removes, goes.
 * - Array elements are followed to where they are now. They are known by their value: an element that others changed is another
 *   one, and of equal elements, when some are gone, none can be told from the others. Both are conflicts.
 * - Insertions stay between the same neighbours; at index 0 they stay first, at the end (or `-`) last, always.
 * - `test` must hold in `latest`. What `move` and `copy` take must be unchanged, and their target is treated as an `add`.
 * - Operations see what the ones before them did. When in doubt, it is a conflict.
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
  // The target counts from after the removal, so it can look as if it were inside of what is moved.
  const looksInside = path !== from && startsWithSegments(parsePointer(from), parsePointer(path));
  if (!looksInside) return [{ op: 'move', from, path }];
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value },
  ];
}
