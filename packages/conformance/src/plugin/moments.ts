import { ensure, show } from '../expectation.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** That a value is a timestamp and, where one is given, that moment. */
export function ensureMoment(value: unknown, what: string, moment?: string): void {
  ensure(
    typeof value === 'string' && rfc3339.test(value) && !Number.isNaN(Date.parse(value)),
    `${what} is ${show(value)}, and no RFC 3339 timestamp`,
  );
  if (moment !== undefined)
    ensure(Date.parse(value) === Date.parse(moment), `${what} is ${value} instead of ${moment}`);
}

export function fromNow(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
