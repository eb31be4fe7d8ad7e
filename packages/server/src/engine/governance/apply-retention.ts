import type { Tables } from '../../ports/store.js';
import { cutDetails } from '../audit/audit-chain.js';
import { toAuditRecord } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { cutRemovals } from '../audit/signed-removals.js';
import { type Caller, onTheRecord, systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind } from '../events/event-record.js';
import { idempotencyHorizon } from '../idempotency.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { removeResource } from '../resources/remove-resource.js';
import { cutAudit, retentionTarget } from './cut-audit.js';
import { profilesInUse, type TenantUses } from './profiles-in-use.js';
import { longestPeriods, type RetentionCutoffs, retentionCutoffs } from './retention-cutoffs.js';

/** The number of each kind that one transaction removes. Between transactions the user's own writes can run. */
const batchSize = 500;
/** Smaller, since each resource has a file and many memories. */
const resourceBatchSize = 50;
const operation = 'retention.apply';
/** How long what was taken back from a source can be restored. */
export const revertedDays = 30;

export interface RetentionInput {
  /** If missing, the longest period of the profiles in use applies; see `profilesInUse`. */
  profileId?: string | undefined;
  /** The moment at which ages are measured; default: now. */
  asOf?: Date | undefined;
}

export interface RetentionReport {
  eventsDeleted: number;
  searchDocumentsDeleted: number;
  snapshotsDeleted: number;
  auditDeleted: number;
  /** Each includes its file and the memories that were made from it. */
  resourcesDeleted: number;
  cutoffs: RetentionCutoffs;
  /** Users that were skipped because of a legal hold. */
  heldUsers: string[];
}

type Removed = Omit<RetentionReport, 'cutoffs' | 'heldUsers'>;

const nothing: Removed = {
  eventsDeleted: 0,
  searchDocumentsDeleted: 0,
  snapshotsDeleted: 0,
  auditDeleted: 0,
  resourcesDeleted: 0,
};

/** Removes data of the caller's user that is older than the profile and the tenant's ceilings allow. Throws PROFILE_NOT_FOUND. */
export async function applyRetention(engine: Engine, caller: Caller, input: RetentionInput): Promise<RetentionReport> {
  const cutoffs = await findCutoffs(engine, caller, input, {});
  const removed = await sweepUser(engine, caller, cutoffs);
  return { ...(removed ?? nothing), cutoffs, heldUsers: removed === undefined ? [caller.userId] : [] };
}

/** Applies retention to every user of a tenant, one after another. */
export async function applyTenantRetention(
  engine: Engine,
  tenantId: string,
  input: RetentionInput,
  signal?: AbortSignal,
): Promise<Omit<RetentionReport, 'cutoffs'>> {
  const report = { ...nothing, heldUsers: [] as string[] };
  const tenant: TenantUses = {};
  await engine.store.erase({ tenantId, userId: '' }, (tables) => purgeReverted(tables, engine.clock.now()));
  for (const { userId } of await engine.store.auditHeads(tenantId)) {
    if (userId === '') continue;
    signal?.throwIfAborted();
    const caller = systemCaller(tenantId, userId, operation);
    const removed = await sweepUser(engine, caller, await findCutoffs(engine, caller, input, tenant), signal);
    if (removed === undefined) report.heldUsers.push(userId);
    else Object.assign(report, add(report, removed));
  }
  return report;
}

export function findCutoffs(
  engine: Engine,
  { tenantId, userId }: Caller,
  { profileId, asOf }: RetentionInput,
  tenant: TenantUses,
): Promise<RetentionCutoffs> {
  return engine.store.inspect(tenantId, async (tables) => {
    const [profiles, ceilings] = await Promise.all([
      profileId === undefined
        ? profilesInUse(engine, tables, userId, tenant)
        : engine.registry.profile(tables, profileId).then((profile) => [profile]),
      tables.retention.ceilings(),
    ]);
    const periods = longestPeriods(profiles.map(({ retentionDays }) => retentionDays));
    const cutoffs = retentionCutoffs(periods, ceilings, asOf ?? engine.clock.now());
    return engine.store.isRebuiltFromAudit ? { ...cutoffs, audit: null } : cutoffs;
  });
}

/** Returns undefined if the user is under a legal hold. */
async function sweepUser(
  engine: Engine,
  caller: Caller,
  cutoffs: RetentionCutoffs,
  signal?: AbortSignal,
): Promise<Removed | undefined> {
  const { tenantId, userId } = caller;
  for (let total = nothing; ; ) {
    signal?.throwIfAborted();
    const now = engine.clock.now();
    const swept = await engine.store.erase({ tenantId, userId }, async (tables) => {
      if ((await tables.legalHolds.on(userId)).length > 0) return undefined;
      return sweepBatch(engine, tables, { ...caller, operation }, cutoffs, now);
    });
    if (swept === undefined) return undefined;
    const { removed, memoryIds } = swept;
    if (memoryIds.length > 0) await tellWatchers(engine, { ...caller, operation }, memoryIds);
    total = add(total, removed);
    const { eventsDeleted, snapshotsDeleted, auditDeleted, resourcesDeleted } = removed;
    const isDone = Math.max(eventsDeleted, snapshotsDeleted, auditDeleted) < batchSize;
    if (isDone && resourcesDeleted < resourceBatchSize) return total;
  }
}

async function sweepBatch(
  { auditKey }: Engine,
  tables: Tables,
  caller: Caller,
  cutoffs: RetentionCutoffs,
  now: Date,
): Promise<{ removed: Removed; memoryIds: string[] }> {
  const { retention } = tables;
  const events = cutoffs.events === null ? [] : await retention.removeArtifacts('event', cutoffs.events, batchSize);
  const indexed =
    events.length === 0
      ? []
      : await retention.removeMemories(
          eventKind,
          events.map(({ name }) => name),
        );
  const snapshots =
    cutoffs.snapshots === null ? [] : await retention.removeArtifacts('snapshot', cutoffs.snapshots, batchSize);
  if (snapshots.length > 0) retention.removeReplays(snapshots.map(({ name }) => name));
  const { count, cut } =
    cutoffs.audit === null
      ? { count: 0, cut: null }
      : await cutAudit(tables, { before: cutoffs.audit, horizon: idempotencyHorizon(now), limit: batchSize });
  const resources =
    cutoffs.resources === null ? [] : await retention.oldResources(cutoffs.resources, resourceBatchSize);
  const memoryIds = [...indexed];
  for (const resourceId of resources) {
    memoryIds.push(...(await removeResource(tables, caller.userId, resourceId)).memoryIds);
  }
  const reverted = await purgeReverted(tables, now);
  const removed: Removed = {
    eventsDeleted: events.length,
    searchDocumentsDeleted: indexed.length,
    snapshotsDeleted: snapshots.length,
    auditDeleted: count,
    resourcesDeleted: resources.length,
  };
  if (reverted > 0 || Object.values(removed).some((number) => number > 0)) {
    const signed = await cutRemovals(tables, auditKey, caller, cut);
    const counts = { ...removed, ...(reverted > 0 && { reverted }) };
    const details = { removed: counts, ...cutDetails(cut), ...signed };
    const mutation = { target: retentionTarget, preEtag: null, postEtag: null, contentHash: null, details };
    tables.audit.append([toAuditRecord(caller, mutation, now)]);
  }
  return { removed, memoryIds };
}

/** In a transaction of its own: the role that removes by age cannot change facts. */
function tellWatchers(engine: Engine, caller: Caller, memoryIds: readonly string[]): Promise<void> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => ({
    result: undefined,
    mutations: await tellRemoved(engine, tables, memoryIds, now),
  }));
}

/** Purges all there is: rows of a revert are of no use without the others. */
async function purgeReverted(tables: Tables, now: Date): Promise<number> {
  const before = new Date(now.getTime() - revertedDays * 86_400_000);
  for (let purged = 0; ; ) {
    const batch = await tables.sourceReverts.purge(before, batchSize);
    purged += batch;
    if (batch < batchSize) return purged;
  }
}

function add(one: Removed, other: Removed): Removed {
  return {
    eventsDeleted: one.eventsDeleted + other.eventsDeleted,
    searchDocumentsDeleted: one.searchDocumentsDeleted + other.searchDocumentsDeleted,
    snapshotsDeleted: one.snapshotsDeleted + other.snapshotsDeleted,
    auditDeleted: one.auditDeleted + other.auditDeleted,
    resourcesDeleted: one.resourcesDeleted + other.resourcesDeleted,
  };
}
