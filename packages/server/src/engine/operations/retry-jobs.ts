import { Problem } from '@memhall/core';
import type { JobLedger, JobRecord } from '../../ports/job-ledger.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';

/** The operator; the tenant is the operator's own. */
export type Operator = Pick<Caller, 'tenantId' | 'actor' | 'operation' | 'requestId' | 'since'>;

/** Dead letters that one call can retry. */
export const mostRetried = 1000;
/** Ids that an audit record lists. */
const listedIds = 100;

/**
 * Gives dead letters all their attempts again: the given ones, or up to `mostRetried`. Returns how many. Throws NOT_FOUND, and retries
 * none, if a given id is not one. Each tenant's own chain records it; jobs of no tenant are recorded in the operator's. The queue
 * is not part of the transaction, so the records come first: no job is retried without one.
 */
export async function retryJobs(
  engine: Pick<Engine, 'store' | 'clock'>,
  ledger: JobLedger,
  operator: Operator,
  ids: readonly string[] | 'all',
): Promise<number> {
  const dead = await ledger.list({ state: 'failed', limit: mostRetried, ...(ids === 'all' ? {} : { ids }) });
  if (ids !== 'all') {
    const known = new Set(dead.map(({ id }) => id));
    const missing = ids.find((id) => !known.has(id));
    if (missing !== undefined) {
      throw new Problem(
        'NOT_FOUND',
        `The job ${missing} is not a dead letter: it does not exist, or runs again already.`,
      );
    }
  }
  for (const [tenantId, jobs] of byTenant(dead, operator.tenantId)) await recordRetry(engine, operator, tenantId, jobs);
  return dead.length === 0 ? 0 : ledger.retry(dead.map(({ id }) => id));
}

function byTenant(jobs: readonly JobRecord[], operatorTenant: string): Map<string, JobRecord[]> {
  const groups = new Map<string, JobRecord[]>();
  for (const job of jobs) {
    const tenantId = job.payload.tenantId ?? operatorTenant;
    groups.set(tenantId, [...(groups.get(tenantId) ?? []), job]);
  }
  return groups;
}

async function recordRetry(
  engine: Pick<Engine, 'store' | 'clock'>,
  operator: Operator,
  tenantId: string,
  jobs: readonly JobRecord[],
): Promise<void> {
  const details = { jobs: jobs.length, job_ids: jobs.slice(0, listedIds).map(({ id }) => id) };
  const mutation = { target: 'jobs', preEtag: null, postEtag: null, contentHash: null, details };
  await mutateTenant(engine, { ...operator, tenantId, userId: '' }, async () => ({
    result: undefined,
    mutations: [mutation],
  }));
}
