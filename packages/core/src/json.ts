export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Returns JSON with object keys in code unit order and no whitespace. Equal values give equal text.
 * Hash inputs are built from this text, so the output for a given value must never change.
 */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    // With a null prototype, a member named __proto__ is an ordinary member.
    const sorted: { [key: string]: Json } = Object.create(null);
    for (const key of Object.keys(inner).sort()) {
      const member = inner[key];
      if (member !== undefined) sorted[key] = member;
    }
    return sorted;
  });
}

/** Returns whether two JSON values are equal. The order of members does not matter; numbers are compared by value. */
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
