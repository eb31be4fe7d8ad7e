import {
  formatPointer,
  getAt,
  type Json,
  type PatchOperation,
  Problem,
  parsePointer,
  rebasePatch,
} from '@memhall/core';
import { sameText } from '../documents/same-text.js';
import { textOf } from '../documents/text-of.js';

export interface ReplayRebase {
  /** undefined: the version that the operations were made for is gone. */
  base: Json | undefined;
  latest: Json;
  ops: readonly PatchOperation[];
}

/** Operations that do to the latest version what the given ones do to theirs. Throws ETAG_MISMATCH where both changed the same. */
export function rebaseReplay({ base, latest, ops }: ReplayRebase): readonly PatchOperation[] {
  const appends = ops.every(({ op, path }) => op === 'add' && path.endsWith('/-'));
  // Without the version it was made for, only what is added at the end can be meant the same way now.
  if (base === undefined && !appends) throw conflict('the version it was made for is gone');
  const rebased = rebasePatch({ base: base ?? latest, latest, ops: [...ops] });
  if ('conflict' in rebased) throw conflict(rebased.conflict.reason);
  return rebased.ops;
}

/**
 * The same once somebody has decided that the patch be applied: what both changed stays as others made it, and what the patch
 * would have put there is added to its section. Throws ETAG_MISMATCH where that section is gone.
 */
export function rebaseDecided({ base, latest, ops }: ReplayRebase): readonly PatchOperation[] {
  const disputed: PatchOperation[] = base === undefined ? [...ops] : [];
  let carried: readonly PatchOperation[] = base === undefined ? [] : ops;
  for (;;) {
    const rebased = rebasePatch({ base: base ?? latest, latest, ops: carried });
    if (!('conflict' in rebased))
      return [...rebased.ops, ...disputed.flatMap((operation) => toAdditions(operation, latest))];
    const { index } = rebased.conflict;
    disputed.push(...carried.slice(index, index + 1));
    carried = carried.toSpliced(index, 1);
  }
}

function toAdditions(operation: PatchOperation, latest: Json): PatchOperation[] {
  const { section, values } = broughtBy(operation);
  if (values.length === 0) return [];
  const present = getAt(latest, section);
  if (!Array.isArray(present)) throw conflict('the section that it would be added to is gone');
  const isThere = (value: Json) => present.some((entry) => sameText(textOf(entry), textOf(value)));
  const path = formatPointer([...section, '-']);
  return values.filter((value) => !isThere(value)).map((value) => ({ op: 'add', path, value }));
}

/** Entries of a section that an operation of a replay brings; none where it only changes or removes one. */
function broughtBy(operation: PatchOperation): { section: string[]; values: Json[] } {
  const place = parsePointer(operation.path);
  const section = place.slice(0, -1);
  if (operation.op === 'replace') return { section, values: [operation.value] };
  if (operation.op !== 'add') return { section, values: [] };
  if (Array.isArray(operation.value)) return { section: place, values: operation.value };
  return { section, values: place.at(-1) === '-' ? [operation.value] : [] };
}

function conflict(reason: string): Problem {
  return new Problem('ETAG_MISMATCH', `The document was changed in the same place: ${reason}.`);
}
