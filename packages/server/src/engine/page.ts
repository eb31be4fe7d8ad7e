import { Problem } from '@memhall/core';

/** Lists that can grow without bound: at most this many a page, and an opaque mark where the next one begins. */
export const pageLimits = { default: 20, max: 100 } as const;

export interface Page<T> {
  items: T[];
  nextCursor: string | undefined;
}

export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
}

/** Positions have a fixed number of parts of a known form; anything that does not read back as one was not made by us. */
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
  throw new Problem('INVALID_REQUEST', 'cursor is not one that this service gave out: repeat the list without it.');
}

/** `rows` were asked for with one more than `limit`: the extra one tells that there is a next page. */
export function toPage<T>(rows: T[], limit: number, positionOf: (row: T) => readonly string[]): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : undefined };
}
