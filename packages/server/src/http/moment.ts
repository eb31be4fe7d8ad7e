import { Problem } from '@memhall/core';

/** Parses a timestamp whose format was already validated. Throws INVALID_REQUEST if the date does not exist. */
export function toMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  // Date turns February 30 into March 2.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(moment.getTime()) && day.getUTCDate() === Number(text.slice(8, 10));
  if (!exists) throw new Problem('INVALID_REQUEST', `"${name}" is not an existing date and time.`);
  return moment;
}
