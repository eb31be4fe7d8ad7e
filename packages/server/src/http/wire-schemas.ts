import { idPattern } from '@memhall/core';
import { type Static, type TSchema, Type } from 'typebox';
import { pageLimits } from '../engine/page.js';

/** Schemas shared by all surfaces. */

export const Id = Type.String({ pattern: idPattern, description: '1 to 128 characters of A-Z a-z 0-9 . _ : @ -' });

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339 timestamp in UTC with milliseconds',
});

/** Has a time zone, so that it is unambiguous. */
export const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)$',
  description: 'RFC 3339 timestamp with a time zone',
});

export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: pageLimits.max, default: pageLimits.default }),
  cursor: Type.Optional(Type.String({ maxLength: 4096, description: '`next_cursor` of the previous page' })),
};

export const nextCursor = Type.Optional(
  Type.String({ description: 'Cursor of the next page. Absent on the last page.' }),
);

export function toNextCursor(cursor: string | undefined): { next_cursor?: string } {
  return cursor === undefined ? {} : { next_cursor: cursor };
}

/** The user that a token with the role service or admin acts for. Default: the user of the token. */
export const onBehalfOf = { user_id: Type.Optional(Id) };

export const ifMatch = Type.Optional(
  Type.String({ description: 'ETag that the current state must have, or `*` for any existing state' }),
);
export const ifNoneMatch = Type.Optional(Type.String({ description: '`*`: write only if nothing exists yet' }));

/**
 * One of two schemas, chosen by whether a field is present, so that a fault is reported for the intended schema.
 * OpenAPI shows it as `anyOf`.
 */
export function eitherBy<With extends TSchema, Without extends TSchema>(field: string, present: With, absent: Without) {
  return Type.Unsafe<Static<With> | Static<Without>>({
    type: 'object',
    if: { required: [field] },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword
    then: present,
    else: absent,
  });
}

export const incomplete = Type.Optional(
  Type.Boolean({
    description:
      'True if something may be missing: the memory plugin did not answer, or the model of the embedder is still being loaded, so that memories were found by their words only',
  }),
);

export function toIncomplete({ isIncomplete, omitted }: { isIncomplete: boolean; omitted: number }) {
  return isIncomplete || omitted > 0 ? { incomplete: true } : {};
}
