import { Problem } from '@memhall/core';
import { decodeCursor } from './page.js';

/** A position in a list that is ordered by time, then by id. */
interface TimePosition {
  at: Date;
  id: string;
}

export function decodeTimeCursor(cursor: string | undefined): TimePosition | undefined {
  if (cursor === undefined) return undefined;
  const [at = '', id = ''] = decodeCursor(cursor, 2, /^[A-Za-z0-9._:@+-]{1,256}$/);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== at) {
    throw new Problem('INVALID_REQUEST', 'cursor was not issued by this service: repeat the request without it.');
  }
  return { at: moment, id };
}

export function timePosition(at: Date, id: string): readonly [string, string] {
  return [at.toISOString(), id];
}
