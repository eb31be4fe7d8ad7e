import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind } from '../events/event-record.js';
import { findCutoffs, type RetentionInput, type RetentionReport } from './apply-retention.js';
import { retentionTarget } from './cut-audit.js';

/** Says what applying retention to the caller's user would remove now. Removes nothing. Throws PROFILE_NOT_FOUND. */
export async function previewRetention(
  engine: Engine,
  caller: Caller,
  input: RetentionInput,
): Promise<RetentionReport> {
  const { tenantId, userId } = caller;
  const cutoffs = await findCutoffs(engine, caller, input, {});
  return engine.store.inspect(tenantId, async (tables) => {
    const holds = await tables.legalHolds.on(userId);
    const isHeld = holds.length > 0;
    const before = isHeld ? { snapshots: null, events: null, audit: null, resources: null } : cutoffs;
    const found = await tables.retention.count(userId, before, { eventKind, retentionTarget });
    return {
      eventsDeleted: found.events,
      searchDocumentsDeleted: found.eventMemories,
      snapshotsDeleted: found.snapshots,
      auditDeleted: found.audit,
      resourcesDeleted: found.resources,
      cutoffs,
      heldUsers: isHeld ? [userId] : [],
    };
  });
}
