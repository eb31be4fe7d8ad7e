import { Problem } from '@memhall/core';

/** What every database can store, and RFC 3339 can write. */
const [earliest, latest] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];

/** Parses a timestamp whose format was already validated. Throws INVALID_REQUEST if the date does not exist. */
export function toMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  // Date turns February 30 into March 2.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(moment.getTime()) && day.getUTCDate() === Number(text.slice(8, 10));
  if (!exists) throw new Problem('INVALID_REQUEST', `"${name}" is not an existing date and time.`);
  if (moment < earliest || moment > latest) {
    throw new Problem('INVALID_REQUEST', `"${name}" must be in the years 0001 to 9999, in UTC.`);
  }
  return moment;
}
