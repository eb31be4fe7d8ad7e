import type { RetentionCeilings } from '../../ports/retention.js';
import { contentHash } from '../audit/audit-record.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';

export function getRetentionCeilings(engine: Engine, caller: Caller): Promise<RetentionCeilings> {
  return engine.store.inspect(caller.tenantId, (tables) => tables.retention.ceilings());
}

/** Limits how long the tenant's data is kept, whatever its profiles say. Older data is removed when retention is next applied. */
export function putRetentionCeilings(
  engine: Engine,
  caller: Caller,
  ceilings: RetentionCeilings,
): Promise<RetentionCeilings> {
  return mutateTenant(engine, caller, async (tables, now) => {
    const wanted = contentHash({ ...ceilings });
    if (contentHash({ ...(await tables.retention.ceilings()) }) === wanted) return { result: ceilings, mutations: [] };
    tables.retention.putCeilings(ceilings, now);
    const mutation = { target: 'retention-ceilings', preEtag: null, postEtag: null, contentHash: wanted };
    return { result: ceilings, mutations: [mutation] };
  });
}
