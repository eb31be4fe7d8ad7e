import type { Json } from '@memhall/core';
import { type TSchema, Type } from 'typebox';
import { maxAwaitedIds } from '../../engine/state/state-limits.js';

/** Shapes that task contexts, plans and sessions share. */

export const closed = { additionalProperties: false } as const;

/** Kept whole. A record of patterns would lose members whose names have line ends when it is written out. */
export const JsonObject = Type.Unsafe<{ [key: string]: Json }>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object',
});

/** The same where a request may leave it out. */
export const JsonObjectOrEmpty = Type.Unsafe<{ [key: string]: Json }>({ ...JsonObject, default: {} });

export const EventName = Type.String({ minLength: 1, maxLength: 255 });

/** With a zone, so that it names one moment. */
export const Moment = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)$',
  description: 'RFC 3339',
});

export const Count = Type.Integer({ description: 'How many this answer holds' });

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** Ids that something waits for. */
export function awaited<T extends TSchema>(id: T, description: string, options: { default?: [] } = {}) {
  const rules = { maxItems: maxAwaitedIds, description: `${description}; repeated ones count once` };
  return Type.Array(id, { ...rules, ...options });
}

export function etagHeader(subject: string): { ETag: string } {
  return { ETag: `Changes with every write of the ${subject}` };
}
