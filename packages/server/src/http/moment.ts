import { Problem } from '@memhall/core';

/** A timestamp of a request. Its form has been checked; whether there is such a day has not. */
export function toMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  // The 30th of February would become the 2nd of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const exists = !Number.isNaN(moment.getTime()) && day.getUTCDate() === Number(text.slice(8, 10));
  if (!exists) throw new Problem('INVALID_REQUEST', `"${name}" is not a moment that exists.`);
  return moment;
}
