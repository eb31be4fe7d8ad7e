import type { Json } from '@memhall/core';
import { type TSchema, Type } from 'typebox';
import { maxAwaitedIds } from '../../engine/state/state-limits.js';
import { JsonObject } from './shared-schemas.js';

/** Schemas shared by task contexts, plans and sessions. */

/** Like `JsonObject`, but optional in a request. */
export const JsonObjectOrEmpty = Type.Unsafe<{ [key: string]: Json }>({ ...JsonObject, default: {} });

export const EventName = Type.String({ minLength: 1, maxLength: 255 });

/** Ids of awaited events or tasks. */
export function awaited<T extends TSchema>(id: T, description: string, options: { default?: [] } = {}) {
  const rules = { maxItems: maxAwaitedIds, description: `${description}. Duplicates are ignored.` };
  return Type.Array(id, { ...rules, ...options });
}

export function etagHeader(subject: string): { ETag: string } {
  return { ETag: `Changes with every write to the ${subject}` };
}
