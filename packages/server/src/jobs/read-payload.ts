import { isId, Problem } from '@memhall/core';
import type { JobPayload } from '../ports/queue.js';

/**
 * Validates the ids in a payload, because stored jobs may be of another version and operators mistype. Throws
 * INVALID_REQUEST.
 */
export function readPayload<Required extends string = never, Optional extends string = never>(
  payload: JobPayload,
  { required = [], optional = [] }: { required?: readonly Required[]; optional?: readonly Optional[] },
): Record<Required, string> & Partial<Record<Optional, string>> {
  const known: readonly string[] = [...required, ...optional];
  for (const [name, value] of Object.entries(payload)) {
    if (!known.includes(name)) {
      throw new Problem('INVALID_REQUEST', `The job does not take ${name}. It takes ${known.join(', ') || 'no ids'}.`);
    }
    if (!isId(value)) throw new Problem('INVALID_REQUEST', `${name} is not a valid id.`);
  }
  const missing = required.find((name) => payload[name] === undefined);
  if (missing !== undefined) throw new Problem('INVALID_REQUEST', `The job requires ${missing}.`);
  return { ...payload } as Record<Required, string> & Partial<Record<Optional, string>>;
}
