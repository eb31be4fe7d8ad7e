import { isList, isObject, isSame, type Json, type JsonObject } from '../../parts/json-value.js';

/** A place that both changed, each in another way. Undefined: it is not there. */
export interface Conflict {
  place: readonly string[];
  base: Json | undefined;
  mine: Json | undefined;
  theirs: Json | undefined;
}

export interface Merged {
  /** With my value wherever there is a conflict. */
  value: Json | undefined;
  conflicts: Conflict[];
}

/**
 * Merges two changes of the same value. What only one of them changed is taken from it; lists that both only added to have the
 * additions of both.
 */
export function mergeJson(
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
  place: readonly string[] = [],
): Merged {
  if (isSame(mine, theirs) || isSame(base, theirs)) return { value: mine, conflicts: [] };
  if (isSame(base, mine)) return { value: theirs, conflicts: [] };
  if (isObject(mine) && isObject(theirs)) return mergeObjects(isObject(base) ? base : {}, mine, theirs, place);
  if (isList(base) && isList(mine) && isList(theirs)) {
    const [ours, others] = [addedTo(base, mine), addedTo(base, theirs)];
    if (ours !== undefined && others !== undefined) {
      const onlyMine = ours.filter((value) => !others.some((other) => isSame(other, value)));
      return { value: [...theirs, ...onlyMine], conflicts: [] };
    }
    if (mine.length === base.length && theirs.length === base.length) return mergeItems(base, mine, theirs, place);
  }
  return { value: mine, conflicts: [{ place, base, mine, theirs }] };
}

function mergeObjects(base: JsonObject, mine: JsonObject, theirs: JsonObject, place: readonly string[]): Merged {
  const conflicts: Conflict[] = [];
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const members = names.flatMap((name): [string, Json][] => {
    const merged = mergeJson(memberOf(base, name), memberOf(mine, name), memberOf(theirs, name), [...place, name]);
    conflicts.push(...merged.conflicts);
    return merged.value === undefined ? [] : [[name, merged.value]];
  });
  return { value: Object.fromEntries(members), conflicts };
}

function mergeItems(
  base: readonly Json[],
  mine: readonly Json[],
  theirs: readonly Json[],
  place: readonly string[],
): Merged {
  const merged = mine.map((item, index) => mergeJson(base[index], item, theirs[index], [...place, String(index)]));
  return {
    value: merged.map(({ value }) => value ?? null),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
  };
}

/** Returns what was added at the end of a list; undefined if anything else was changed. */
function addedTo(base: readonly Json[], list: readonly Json[]): readonly Json[] | undefined {
  return base.every((item, index) => isSame(item, list[index])) ? list.slice(base.length) : undefined;
}

function memberOf(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the value with another one at a place; undefined removes it. */
export function withValue(value: Json | undefined, place: readonly string[], next: Json | undefined): Json | undefined {
  const [name, ...rest] = place;
  if (name === undefined) return next;
  if (isList(value)) {
    const items = value.map((item, index) => (index === Number(name) ? withValue(item, rest, next) : item));
    return items.filter((item) => item !== undefined);
  }
  const members = isObject(value) ? value : {};
  const changed = withValue(memberOf(members, name), rest, next);
  const entries = Object.entries(members).filter(([key]) => key !== name);
  if (changed === undefined) return Object.fromEntries(entries);
  if (Object.hasOwn(members, name)) {
    return Object.fromEntries(Object.entries(members).map(([key, old]) => [key, key === name ? changed : old]));
  }
  return Object.fromEntries([...entries, [name, changed]]);
}
