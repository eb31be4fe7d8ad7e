export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * JSON with object keys in code unit order and no white space: equal values give equal text.
 * Hash inputs are built with it, so its output must never change for a given value.
 */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    // A null prototype keeps a member called __proto__ an ordinary member.
    const sorted: { [key: string]: Json } = Object.create(null);
    for (const key of Object.keys(inner).sort()) {
      const member = inner[key];
      if (member !== undefined) sorted[key] = member;
    }
    return sorted;
  });
}

/** Equality of JSON values: the order of members does not matter, numbers are equal by value. */
export function jsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((element, index) => jsonEqual(element, b[index] as Json))
    );
  }
  if (Array.isArray(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && jsonEqual(a[name] as Json, b[name] as Json))
  );
}
