import { Problem } from '@memhall/core';

/** Page sizes of lists that can grow without bound. Each page has an opaque cursor for the next one. */
export const pageLimits = { default: 20, max: 100 } as const;

export interface Page<T> {
  items: T[];
  nextCursor: string | undefined;
}

export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
}

/** Throws INVALID_REQUEST unless the cursor has this number of parts, all of this form: it was not issued by this service. */
export function decodeCursor(cursor: string, parts: number, form = /^/): string[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(position) &&
      position.length === parts &&
      position.every((part) => typeof part === 'string' && form.test(part))
    ) {
      return position;
    }
  } catch {}
  throw new Problem('INVALID_REQUEST', 'cursor was not issued by this service: repeat the request without it.');
}

/** `rows` must be queried with `limit + 1`. An extra row means that there is a next page. */
export function toPage<T>(rows: T[], limit: number, positionOf: (row: T) => readonly string[]): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : undefined };
}
