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

export const Count = Type.Integer({ description: 'How many this answer holds' });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
