import type { Json } from '@memhall/core';
import { type TSchema, Type } from 'typebox';
import { maxAwaitedIds } from '../../engine/state/state-limits.js';
import { JsonObject } from './shared-schemas.js';

/** Shapes that task contexts, plans and sessions share. */

/** The same where a request may leave it out. */
export const JsonObjectOrEmpty = Type.Unsafe<{ [key: string]: Json }>({ ...JsonObject, default: {} });

export const EventName = Type.String({ minLength: 1, maxLength: 255 });

/** Ids that something waits for. */
export function awaited<T extends TSchema>(id: T, description: string, options: { default?: [] } = {}) {
  const rules = { maxItems: maxAwaitedIds, description: `${description}; repeated ones count once` };
  return Type.Array(id, { ...rules, ...options });
}

export function etagHeader(subject: string): { ETag: string } {
  return { ETag: `Changes with every write of the ${subject}` };
}
