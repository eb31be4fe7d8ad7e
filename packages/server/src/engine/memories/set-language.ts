import { Problem } from '@memhall/core';
import type { Store } from '../../ports/store.js';
import { type Language, languages } from './analysis/language.js';

/**
 * Sets by which language's rules a tenant's memories are compared. Stored ones are analysed anew in the background; until
 * then words of theirs that inflect may be missed.
 */
export async function setLanguage(store: Store, tenantId: string, language: string): Promise<Language> {
  const known = languages.find((candidate) => candidate === language);
  if (known === undefined) throw new Problem('INVALID_REQUEST', `The language must be one of ${languages.join(', ')}.`);
  await store.administer(tenantId, async (tables) => tables.tenants.setLanguage(known));
  return known;
}
