import { Problem } from '@memhall/core';

/** A timestamp of a request. Its form has been checked; whether there is such a day has not. */
export function toMoment(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new Problem('INVALID_REQUEST', `"${name}" is not a moment that exists.`);
  return moment;
}
