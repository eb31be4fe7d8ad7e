import { Problem } from '@memhall/core';
import type { Store } from '../../ports/store.js';
import { type Language, languages } from './analysis/language.js';

/**
 * Sets the language whose rules are used to compare a tenant's memories. Stored memories are analysed again in the
 * background; until then, inflected words in them may not be found.
 */
export async function setLanguage(store: Store, tenantId: string, language: string): Promise<Language> {
  const known = languages.find((candidate) => candidate === language);
  if (known === undefined) throw new Problem('INVALID_REQUEST', `The language must be one of ${languages.join(', ')}.`);
  await store.administer(tenantId, async (tables) => tables.tenants.setLanguage(known));
  return known;
}
