import type { Logger } from 'pino';
import type { Config } from '../config/settings.js';
import { followAgain } from '../engine/documents/catch-up-documents.js';
import { rebuildEventIndex } from '../engine/events/index-events.js';
import { type ReindexReport, reindexEvents } from '../engine/events/reindex-events.js';
import { startEngine } from './start-engine.js';

interface ReindexOptions {
  tenantId?: string | undefined;
  onProgress?: (tenants: number, of: number) => void;
}

/**
 * Rebuilds derived data: the rows of artifacts if they are stored in an outer store, what recall finds of documents, the engine's
 * search index of events, and the outer one if there is one.
 * Can run while a server is running.
 */
export async function reindex(
  config: Config,
  logger: Logger,
  { tenantId, onProgress }: ReindexOptions = {},
): Promise<
  ReindexReport & { tenants: number; documents: number; rebuiltUsers: number | null; indexed: number | null }
> {
  const { engine, outer, close } = await startEngine(config, logger, {
    shareRunning: true,
    rebuilds: true,
    runJobs: false,
  });
  try {
    const rebuiltUsers = outer === null ? null : await outer.rebuild(tenantId);
    const heads = await engine.store.auditHeads(tenantId);
    const tenants = [...new Set(heads.map((head) => head.tenantId))];
    const total = { users: 0, events: 0, removed: 0, documents: 0 };
    for (const [index, tenant] of tenants.entries()) {
      const report = await reindexEvents(engine, tenant);
      total.users += report.users;
      total.events += report.events;
      total.removed += report.removed;
      total.documents += await followAgain(engine, tenant);
      onProgress?.(index + 1, tenants.length);
    }
    const { eventIndex } = engine;
    const indexed = eventIndex === null ? null : await rebuildEventIndex(engine, eventIndex, tenantId);
    return { ...total, tenants: tenants.length, rebuiltUsers, indexed };
  } finally {
    await close();
  }
}
