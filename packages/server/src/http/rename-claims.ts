import type { JWTPayload } from 'jose';

/** Other claims that stand for one of ours if that is absent. A mapping replaces them too. */
const alternatives: Readonly<Record<string, readonly string[]>> = {
  user_id: ['sub'],
  service_id: ['azp', 'appid'],
};

/**
 * Gives claims the names that Memhall uses. A claim that is mapped is read from the given name only: what the token has
 * under our own name is ignored, because the identity provider may let users set it.
 */
export function renameClaims(payload: JWTPayload, names: ReadonlyMap<string, string>): JWTPayload {
  if (names.size === 0) return payload;
  const renamed: JWTPayload = { ...payload };
  for (const name of names.keys()) {
    for (const replaced of [name, ...(alternatives[name] ?? [])]) delete renamed[replaced];
  }
  for (const [name, source] of names) {
    const value = claimAt(payload, source);
    if (value !== undefined) renamed[name] = value;
  }
  return renamed;
}

/** Reads a claim by its name, or by a path of names such as `realm_access.roles`. */
function claimAt(payload: JWTPayload, source: string): unknown {
  if (Object.hasOwn(payload, source)) return payload[source];
  let value: unknown = payload;
  for (const part of source.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
