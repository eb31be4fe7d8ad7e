import type { Json } from '@memhall/core';
import { type TSchema, Type } from 'typebox';

/** Shapes that all of this contract's memories share. */

export const closed = { additionalProperties: false } as const;

/** Kept whole. A record of patterns would lose members whose names have line ends when it is written out. */
export const JsonObject = Type.Unsafe<{ [key: string]: Json }>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object',
});

/** With a zone, so that it names one moment. */
export const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)$',
  description: 'RFC 3339',
});

export const Count = Type.Integer({ description: 'How many this answer holds' });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
