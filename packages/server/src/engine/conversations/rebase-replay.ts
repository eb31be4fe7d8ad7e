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

interface ReplayRebase {
  /** undefined if the version that the operations are based on no longer exists. */
  base: Json | undefined;
  latest: Json;
  ops: readonly PatchOperation[];
}

/**
 * Transforms operations so that they have the same effect on the latest version. Entries that are there already are not
 * added again. Throws ETAG_MISMATCH if both changed the same place.
 */
export function rebaseReplay({ base, latest, ops }: ReplayRebase): readonly PatchOperation[] {
  const [additions, others] = splitBy(ops, (operation) => isAddition(operation, base, latest));
  // Without the base version, only additions at the end can still have the same meaning.
  if (base === undefined && others.length > 0) throw conflict('the version it is based on no longer exists');
  const rebased = rebasePatch({ base: base ?? latest, latest, ops: others });
  if ('conflict' in rebased) throw conflict(rebased.conflict.reason);
  return [...rebased.ops, ...additions.flatMap((operation) => toAdditions(operation, latest))];
}

function splitBy<T>(all: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}

/** Whether an operation adds entries at the end of a section, or adds a section that others have added meanwhile. */
function isAddition({ op, path }: PatchOperation, base: Json | undefined, latest: Json): boolean {
  if (op !== 'add') return false;
  if (path.endsWith('/-')) return Array.isArray(getAt(latest, parsePointer(path).slice(0, -1)));
  const section = parsePointer(path);
  return base !== undefined && getAt(base, section) === undefined && Array.isArray(getAt(latest, section));
}

/**
 * Like `rebaseReplay`, once someone has decided to apply the patch: places that both changed keep the current state,
 * and the patch's entries are added to their section. Throws ETAG_MISMATCH if that section no longer exists.
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
  const { section, values } = entriesAddedBy(operation);
  if (values.length === 0) return [];
  const present = getAt(latest, section);
  if (!Array.isArray(present)) throw conflict('the section for the addition no longer exists');
  const isThere = (value: Json) => present.some((entry) => sameText(textOf(entry), textOf(value)));
  const path = formatPointer([...section, '-']);
  return values.filter((value) => !isThere(value)).map((value) => ({ op: 'add', path, value }));
}

/** Returns the entries that an operation of a replay adds to a section; none if it only changes or removes one. */
function entriesAddedBy(operation: PatchOperation): { section: string[]; values: Json[] } {
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
