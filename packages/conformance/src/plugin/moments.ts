import { ensure, show } from '../expectation.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Ensures that a value is a timestamp and, if `moment` is given, that it is the same time. */
export function ensureMoment(value: unknown, what: string, moment?: string): void {
  ensure(
    typeof value === 'string' && rfc3339.test(value) && !Number.isNaN(Date.parse(value)),
    `${what} is ${show(value)}, not an RFC 3339 timestamp`,
  );
  if (moment !== undefined)
    ensure(Date.parse(value) === Date.parse(moment), `${what} is ${value} instead of ${moment}`);
}

export function fromNow(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
