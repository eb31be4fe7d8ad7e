import { isList, isObject, isSame, type Json, toPointer } from '../../parts/json-value.js';

export type Operation = { op: 'add' | 'replace'; path: string; value: Json } | { op: 'remove'; path: string };

type Place = readonly (string | number)[];

/**
 * Returns operations of RFC 6902 that turn one value into another, as few and as deep as the values allow, so that the history says
 * what was changed and nothing else is touched.
 */
export function patchBetween(before: Json, after: Json, place: Place = []): Operation[] {
  if (isSame(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
    return [
      ...removed.map((name) => ({ op: 'remove', path: toPointer([...place, name]) }) as const),
      ...Object.entries(after).flatMap(([name, value]): Operation[] => {
        const old = Object.hasOwn(before, name) ? before[name] : undefined;
        return old === undefined
          ? [{ op: 'add', path: toPointer([...place, name]), value }]
          : patchBetween(old, value, [...place, name]);
      }),
    ];
  }
  if (isList(before) && isList(after)) return patchOfLists(before, after, place);
  return [{ op: 'replace', path: toPointer(place), value: after }];
}

/** What both lists begin and end with stays. Between them, elements are changed in place, then removed from the end or added. */
function patchOfLists(before: readonly Json[], after: readonly Json[], place: Place): Operation[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && isSame(before[start], after[start])) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  const shared = Math.min(old.length, fresh.length);
  const changed = fresh
    .slice(0, shared)
    .flatMap((value, index) => patchBetween(old[index] as Json, value, [...place, start + index]));
  const removed = old
    .slice(shared)
    .map((_, index) => ({ op: 'remove', path: toPointer([...place, start + old.length - 1 - index]) }) as const);
  const added = fresh.slice(shared).map((value, index): Operation => {
    const at = end === 0 ? '-' : start + shared + index;
    return { op: 'add', path: toPointer([...place, at]), value };
  });
  return [...changed, ...removed, ...added];
}
