import { Problem } from '@memhall/core';
import type { ChangePositions } from '../../ports/changes.js';
import { keptDays, oldestKept } from './forget-old-changes.js';

/** Where a reader stopped in each partition it can see, and when. */
interface ChangeCursor {
  issuedAt: Date;
  positions: ChangePositions;
}

/** A partition that has no position yet is left out, so that the cursor stays short. */
export function encodeChangeCursor({ issuedAt, positions }: ChangeCursor): string {
  const begun = [...positions].filter(([, position]) => position > 0n).map(([key, at]) => [key, String(at)]);
  return Buffer.from(JSON.stringify([issuedAt.toISOString(), begun])).toString('base64url');
}

/** Throws INVALID_REQUEST if this service did not issue it, CURSOR_EXPIRED if changes after it have been removed. */
export function decodeChangeCursor(text: string, now: Date): ChangeCursor {
  const cursor = read(text);
  if (cursor === undefined) {
    throw new Problem('INVALID_REQUEST', 'after was not issued by this service: repeat the request without it.');
  }
  if (cursor.issuedAt < oldestKept(now)) {
    throw new Problem(
      'CURSOR_EXPIRED',
      `The cursor is more than ${keptDays} days old, and changes after it have been removed. Read what you follow again, and go on from after=now.`,
    );
  }
  return cursor;
}

function read(text: string): ChangeCursor | undefined {
  try {
    const [issuedAt, begun]: [unknown, unknown] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const time = new Date(String(issuedAt));
    if (Number.isNaN(time.getTime()) || !Array.isArray(begun) || !begun.every(isPosition)) return undefined;
    return { issuedAt: time, positions: new Map(begun.map(([key, position]) => [key, BigInt(position)])) };
  } catch {
    return undefined;
  }
}

function isPosition(value: unknown): value is [string, string] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'string' &&
    /^\d{1,18}$/.test(value[1])
  );
}
