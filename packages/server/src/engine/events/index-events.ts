import type { Artifact } from '../../ports/artifacts.js';
import type { EventIndex } from '../../ports/event-index.js';
import type { IndexBacklog } from '../../ports/unindexed-events.js';
import { maintain } from '../audit/maintain.js';
import type { Engine } from '../engine.js';
import { listTenants } from '../list-tenants.js';
import { fromEventArtifact } from './event-record.js';

const batchSize = 200;
/** How long the index may take to find documents that it has accepted. */
const settlingMs = 10_000;

/** Returns the time before which sent documents must have been sent so that the index finds them now. */
export function settledSince(engine: Engine): Date {
  return new Date(engine.clock.now().getTime() - settlingMs);
}

/** Creates the index if it is missing. All events wait for it before it exists, so a crash in between loses none. */
export async function prepareEventIndex(engine: Engine, index: EventIndex, signal?: AbortSignal): Promise<void> {
  if (await index.exists()) return;
  for (const tenantId of await listTenants(engine)) await markEvents(engine, tenantId, signal);
  await index.create();
}

/** Lets all events of a tenant wait for the index. */
async function markEvents(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<void> {
  for (const userId of await engine.store.inspect(tenantId, (tables) => tables.artifacts.owners('event'))) {
    signal?.throwIfAborted();
    await maintain(engine, { tenantId, userId }, async (tables) => tables.unindexedEvents.addAll(engine.clock.now()));
  }
}

/** Brings the waiting events of a tenant to the index. Returns how many there were. Throws EventIndexError. */
export async function indexEvents(
  engine: Engine,
  index: EventIndex,
  tenantId: string,
  signal?: AbortSignal,
): Promise<number> {
  const settled = settledSince(engine);
  const owners = await engine.store.inspect(tenantId, (tables) => tables.unindexedEvents.owners(settled));
  let total = 0;
  for (const userId of owners) {
    for (let sent = batchSize; sent === batchSize; total += sent) {
      signal?.throwIfAborted();
      sent = await indexBatch(engine, index, { tenantId, userId }, settled);
    }
  }
  return total;
}

/** Runs under the lock of the user's writes: a document that is sent after its event was removed would stay. */
function indexBatch(
  engine: Engine,
  index: EventIndex,
  owner: { tenantId: string; userId: string },
  settled: Date,
): Promise<number> {
  return maintain(engine, owner, async (tables) => {
    const { unindexedEvents } = tables;
    unindexedEvents.removeSent(settled);
    const ids = await unindexedEvents.waiting(batchSize);
    if (ids.length === 0) return 0;
    const artifacts = await tables.artifacts.getMany('event', '', ids);
    const refused = await index.put(owner, artifacts.map(toIndexable));
    if (refused.length > 0) {
      engine.onFault(new Error(`${index.address} cannot hold ${refused.length} events`), 'indexing events');
    }
    const present = new Set(artifacts.map(({ name }) => name));
    const gone = ids.filter((id) => !present.has(id));
    if (gone.length > 0) {
      await index.remove(owner, gone);
      unindexedEvents.remove(gone);
    }
    unindexedEvents.markSent([...present], engine.clock.now());
    return ids.length;
  });
}

/** Drops the index, or the documents of one tenant, and rebuilds it. Returns the number of events. */
export async function rebuildEventIndex(engine: Engine, index: EventIndex, tenantId?: string): Promise<number> {
  if (tenantId === undefined) {
    await index.drop();
    await prepareEventIndex(engine, index);
  } else {
    await prepareEventIndex(engine, index);
    for (const userId of await engine.store.users(tenantId)) await emptyUser(engine, index, { tenantId, userId });
  }
  let total = 0;
  for (const tenant of tenantId === undefined ? await listTenants(engine) : [tenantId]) {
    total += await indexEvents(engine, index, tenant);
  }
  return total;
}

function emptyUser(engine: Engine, index: EventIndex, owner: { tenantId: string; userId: string }): Promise<void> {
  return maintain(engine, owner, async (tables) => {
    tables.unindexedEvents.addAll(engine.clock.now());
    await index.removeAll(owner.tenantId, owner.userId);
  });
}

/** Counts the waiting events of all tenants; none wait if there is no index. */
export async function eventIndexBacklog(engine: Engine): Promise<IndexBacklog> {
  const total: IndexBacklog = { count: 0, oldest: null };
  if (engine.eventIndex === null) return total;
  for (const tenantId of await listTenants(engine)) {
    const { count, oldest } = await engine.store.inspect(tenantId, (tables) => tables.unindexedEvents.backlog());
    total.count += count;
    if (oldest !== null && (total.oldest === null || oldest < total.oldest)) total.oldest = oldest;
  }
  return total;
}

function toIndexable(artifact: Artifact<'event'>) {
  return { event: fromEventArtifact(artifact), etag: artifact.etag, createdAt: artifact.createdAt };
}
