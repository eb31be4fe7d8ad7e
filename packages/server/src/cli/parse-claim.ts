import { type Json, StartUpError } from '@memhall/core';

const reserved = new Set(['tenant_id', 'user_id', 'service_id', 'roles', 'exp', 'iat', 'jti']);

export function parseClaim(claim: string): [string, Json] {
  const at = claim.indexOf('=');
  const name = claim.slice(0, at);
  if (at < 1) throw new StartUpError(`--claim must look like name=value, not "${claim}".`);
  if (reserved.has(name)) throw new StartUpError(`--claim cannot set ${name}: another option sets it.`);
  const value = claim.slice(at + 1);
  if (!/^(true|false|\[.*\]|\{.*\})$/s.test(value)) return [name, value];
  try {
    return [name, JSON.parse(value) as Json];
  } catch {
    throw new StartUpError(`--claim ${name} is not valid JSON: ${value}`);
  }
}
