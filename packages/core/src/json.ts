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
