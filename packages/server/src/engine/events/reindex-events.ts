import type { Artifact } from '../../ports/artifacts.js';
import { mutate } from '../audit/mutate.js';
import { systemCaller } from '../caller.js';
import type { Engine } from '../engine.js';
import { tellRemoved } from '../memories/memory-watcher.js';
import { noteStored, prepareMemories, storeMemories } from '../memories/remember.js';
import { eventIdOf, eventKind, fromEventArtifact, rebuiltOrigin, toEventMemory } from './event-record.js';

/** As many as are embedded before a write completes, so the index is complete when the command ends. */
const pageSize = 32;

export interface ReindexReport {
  users: number;
  events: number;
  /** Number of search entries without an event. */
  removed: number;
}

/**
 * Rebuilds the search index of a tenant's events from the events themselves, a page at a time, while searches and writes
 * continue. An event that changes concurrently is skipped, since the change updates the index itself.
 */
export async function reindexEvents(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<ReindexReport> {
  const users = await engine.store.inspect(tenantId, (tables) => tables.artifacts.owners('event'));
  const report: ReindexReport = { users: users.length, events: 0, removed: 0 };
  for (const userId of users) {
    for (let after: readonly [string, string] | undefined; ; ) {
      signal?.throwIfAborted();
      const page = await nextPage(engine, tenantId, userId, after);
      if (page.length === 0) break;
      await reindexPage(engine, tenantId, userId, page);
      report.events += page.length;
      after = ['', page.at(-1)?.name ?? ''];
    }
    report.removed += await removeOrphans(engine, tenantId, userId);
  }
  return report;
}

function nextPage(
  engine: Engine,
  tenantId: string,
  userId: string,
  after: readonly [string, string] | undefined,
): Promise<Artifact<'event'>[]> {
  return engine.store.read({ tenantId, userId }, async (tables) => {
    const listed = await tables.artifacts.list('event', { limit: pageSize, ...(after === undefined ? {} : { after }) });
    const names = listed.map(({ name }) => name);
    const artifacts = await tables.artifacts.getMany('event', '', names);
    return artifacts.sort((one, other) => (one.name < other.name ? -1 : 1));
  });
}

async function reindexPage(
  engine: Engine,
  tenantId: string,
  userId: string,
  page: readonly Artifact<'event'>[],
): Promise<void> {
  const caller = systemCaller(tenantId, userId, 'events.reindex');
  const inputs = page.map((artifact) => {
    const event = fromEventArtifact(artifact);
    return toEventMemory(event, artifact.createdAt, rebuiltOrigin(event));
  });
  const prepared = await prepareMemories(engine, caller, inputs);
  await mutate(engine, caller, async (tables) => {
    const names = page.map(({ name }) => name);
    const present = new Map((await tables.artifacts.getMany('event', '', names)).map((one) => [one.name, one.etag]));
    const same = page.map(({ name, etag }) => present.get(name) === etag);
    await storeMemories(tables, caller, {
      ...prepared,
      memories: prepared.memories.filter((_, index) => same[index]),
      forms: prepared.forms.filter((_, index) => same[index]),
    });
    return { result: undefined, mutations: [] };
  });
  noteStored(engine, caller, prepared);
}

async function removeOrphans(engine: Engine, tenantId: string, userId: string): Promise<number> {
  const caller = systemCaller(tenantId, userId, 'events.reindex');
  const partition = { kind: 'user', userId } as const;
  let removed = 0;
  for (let before: bigint | undefined; ; ) {
    const page = await mutate(engine, caller, async (tables, now) => {
      const listed = await tables.memories.list([partition], { kinds: [eventKind] }, { before, limit: pageSize, now });
      const names = listed.map(({ memory }) => eventIdOf(memory));
      const known = new Set((await tables.artifacts.getMany('event', '', names)).map(({ name }) => name));
      const orphans = listed.filter(({ memory }) => !known.has(eventIdOf(memory)));
      const ids = orphans.map(({ memory }) => memory.id);
      if (ids.length > 0) tables.memories.delete(ids);
      const mutations = await tellRemoved(engine, tables, ids, now);
      return { result: { listed, orphans: orphans.length }, mutations };
    });
    removed += page.orphans;
    if (page.listed.length < pageSize) return removed;
    before = page.listed.at(-1)?.seq;
  }
}
