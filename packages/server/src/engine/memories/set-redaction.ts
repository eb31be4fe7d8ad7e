import { type OptionalLabel, optionalLabels, Problem } from '@memhall/core';
import { contentHash } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';

/**
 * Sets what is redacted for a tenant in addition to secrets, from now on. Stored text stays as it is. Throws INVALID_REQUEST for
 * an unknown label.
 */
export async function setRedaction(
  engine: Pick<Engine, 'store' | 'clock'>,
  tenantId: string,
  labels: readonly string[],
): Promise<readonly OptionalLabel[]> {
  const known = optionalLabels.filter((label) => labels.includes(label));
  if (known.length < new Set(labels).size) {
    throw new Problem('INVALID_REQUEST', `The labels must be among ${optionalLabels.join(', ')}.`);
  }
  const caller = systemCaller(tenantId, '', 'tenant.redaction');
  return mutateTenant<readonly OptionalLabel[]>(engine, caller, async (tables) => {
    tables.tenants.setAlsoRedacted(known);
    const hash = contentHash(known.join(' '));
    const mutation = { target: 'tenant/redaction', preEtag: null, postEtag: null, contentHash: hash };
    return { result: known, mutations: [mutation] };
  });
}
