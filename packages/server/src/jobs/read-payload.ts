import { isId, Problem } from '@memhall/core';
import type { JobPayload } from '../ports/queue.js';

/** The ids a job takes, checked: what waits in the database may be of another version, and operators mistype. */
export function readPayload<Required extends string = never, Optional extends string = never>(
  payload: JobPayload,
  { required = [], optional = [] }: { required?: readonly Required[]; optional?: readonly Optional[] },
): Record<Required, string> & Partial<Record<Optional, string>> {
  const known: readonly string[] = [...required, ...optional];
  for (const [name, value] of Object.entries(payload)) {
    if (!known.includes(name)) {
      throw new Problem('INVALID_REQUEST', `The job takes ${known.join(', ') || 'nothing'}, not ${name}.`);
    }
    if (!isId(value)) throw new Problem('INVALID_REQUEST', `The ${name} of the job is not a valid id.`);
  }
  const missing = required.find((name) => payload[name] === undefined);
  if (missing !== undefined) throw new Problem('INVALID_REQUEST', `The job needs ${missing}.`);
  return { ...payload } as Record<Required, string> & Partial<Record<Optional, string>>;
}
