import type { Tables } from './store.js';

/**
 * Returns tables with some members replaced. The others are reached through the prototype: a store may build its tables on
 * first use, which a spread would force.
 */
export function overrideTables(tables: Tables, overrides: Partial<Tables>): Tables {
  return Object.create(tables, Object.getOwnPropertyDescriptors(overrides));
}
