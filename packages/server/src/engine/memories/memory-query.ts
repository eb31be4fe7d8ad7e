import { findTextFault, Problem } from '@memhall/core';
import type { MemoryFilter } from '../../ports/memories.js';
import { checkDate } from './memory-input.js';

const dates = ['occurredFrom', 'occurredTo', 'createdFrom', 'createdTo'] as const;

/**
 * Returns a filter in the normalized form in which memories are stored. Throws INVALID_REQUEST if it contains invalid
 * text or dates.
 */
export function toFilter(filter: MemoryFilter = {}): MemoryFilter {
  const fault = findTextFault(filter);
  if (fault !== undefined) throw new Problem('INVALID_REQUEST', `"filter${fault.pointer}" ${fault.message}.`);
  const { anyOf, ...own } = filter;
  return { ...toStored(own), ...(anyOf === undefined ? {} : { anyOf: anyOf.map(toStored) }) };
}

function toStored(filter: MemoryFilter): MemoryFilter {
  for (const name of dates) if (filter[name] !== undefined) checkDate(name, filter[name]);
  return filter.tags === undefined ? filter : { ...filter, tags: filter.tags.map((tag) => tag.normalize('NFC')) };
}

export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw new Problem('INVALID_REQUEST', '"limit" must be a whole number, 0 or more.');
}
