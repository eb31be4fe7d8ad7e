import { Problem } from '@memhall/core';
import { contentHash } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Language, languages } from './analysis/language.js';

/**
 * Sets the language whose rules are used to compare a tenant's memories. Stored memories are analysed again in the
 * background; until then, inflected words in them may not be found.
 */
export async function setLanguage(
  engine: Pick<Engine, 'store' | 'clock'>,
  tenantId: string,
  language: string,
): Promise<Language> {
  const known = languages.find((candidate) => candidate === language);
  if (known === undefined) throw new Problem('INVALID_REQUEST', `The language must be one of ${languages.join(', ')}.`);
  const caller = systemCaller(tenantId, '', 'tenant.language');
  return mutateTenant<Language>(engine, caller, async (tables) => {
    tables.tenants.setLanguage(known);
    const mutation = { target: 'tenant/language', preEtag: null, postEtag: null, contentHash: contentHash(known) };
    return { result: known, mutations: [mutation] };
  });
}
