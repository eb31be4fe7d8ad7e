import { idPattern } from '@memhall/core';
import { type Static, type TSchema, Type } from 'typebox';
import { pageLimits } from '../engine/page.js';

/** Shapes that every surface shares. */

export const Id = Type.String({ pattern: idPattern, description: '1 to 128 of A-Z a-z 0-9 . _ : @ -' });

export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds' });

/** With a zone, so that it names one moment. */
export const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)$',
  description: 'RFC 3339',
});

export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: pageLimits.max, default: pageLimits.default }),
  cursor: Type.Optional(Type.String({ maxLength: 4096, description: 'next_cursor of the page before' })),
};

export const nextCursor = Type.Optional(Type.String({ description: 'Absent on the last page' }));

export function toNextCursor(cursor: string | undefined): { next_cursor?: string } {
  return cursor === undefined ? {} : { next_cursor: cursor };
}

/** Whom a `service` token acts for; absent: the token's own user. */
export const onBehalfOf = { user_id: Type.Optional(Id) };

export const ifMatch = Type.Optional(Type.String({ description: 'ETag the present state must have, or *' }));
export const ifNoneMatch = Type.Optional(Type.String({ description: '*: only if there is nothing yet' }));

/**
 * One of two shapes, told apart by whether a field is there: faults are then told of the shape that was meant. OpenAPI shows
 * it as `anyOf`.
 */
export function eitherBy<With extends TSchema, Without extends TSchema>(field: string, present: With, absent: Without) {
  return Type.Unsafe<Static<With> | Static<Without>>({
    type: 'object',
    if: { required: [field] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
    then: present,
    else: absent,
  });
}
