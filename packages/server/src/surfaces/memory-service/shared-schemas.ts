import type { Json } from '@memhall/core';
import { type TSchema, Type } from 'typebox';

/** Schemas shared by all memories of this contract. */

export const closed = { additionalProperties: false } as const;

/** Unsafe instead of a Record, whose key pattern would drop members with line breaks in their names from responses. */
export const JsonObject = Type.Unsafe<{ [key: string]: Json }>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object',
});

export const Count = Type.Integer({ description: 'Number of items in this response' });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
