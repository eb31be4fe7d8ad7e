import { Problem } from '@memhall/core';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Scope, Tables } from '../ports/store.js';
import { putAuditCopy } from './audit-copy.js';
import { type CommittedChange, commitChange } from './commit-change.js';
import { confirmSeen } from './confirm-seen.js';
import { type Outer, ownerOf } from './outer.js';
import { removeResourceBlobs } from './resource-keys.js';
import { TracedTables } from './traced-tables.js';

/**
 * Runs a write transaction once. If it changes artifacts, they are in the outer store when it commits. Changes without
 * artifacts stay in the database; their audit records are copied later. Throws StaleRows if the database has to be
 * brought up to date first.
 */
export async function attemptWrite<T>(outer: Outer, scope: Scope, work: (tables: Tables) => Promise<T>): Promise<T> {
  const owner = ownerOf(scope);
  const now = outer.engine.clock.now();
  const { result, hasRecords, committed } = await confirmingRefusals(outer, owner, (follow) =>
    outer.database.write(scope, async (tables) => {
      const traced = follow(new TracedTables(tables));
      const result = await work(traced.tables);
      if (traced.hasFiles) await changeFiles(outer, owner, traced);
      const committed = traced.hasChanges ? await commitChange(outer, owner, tables, traced, now) : undefined;
      return { result, hasRecords: traced.records.length > 0, committed };
    }),
  );
  if (committed !== undefined) outer.copies.start(owner, () => copyCommitted(outer, owner, committed));
  else if (hasRecords) outer.copies.note(owner);
  return result;
}

/** Runs a transaction. A refusal based on stale rows does not count: throws StaleRows instead. */
export async function confirmingRefusals<T>(
  outer: Outer,
  owner: ArtifactOwner,
  attempt: (follow: (traced: TracedTables) => TracedTables) => Promise<T>,
): Promise<T> {
  let followed: TracedTables | undefined;
  try {
    return await attempt((traced) => {
      // The database asks for a retry, but the first run is decided. The next transaction of the user completes it.
      if (followed?.isDecided) throw new Problem('UNAVAILABLE', 'Try again shortly.', { retryAfterSeconds: 1 });
      followed = traced;
      return traced;
    });
  } catch (error) {
    const isRefusal = error instanceof Problem && error.code !== 'UNAVAILABLE';
    if (isRefusal && followed !== undefined) await confirmSeen(outer.blobs, owner, followed.seen);
    throw error;
  }
}

/** Runs when no statement can fail any more. A file without a row would bring its resource back, so files go before the rows do. */
async function changeFiles(
  outer: Outer,
  owner: ArtifactOwner,
  { tables, insertedResources, deletedResources }: TracedTables,
): Promise<void> {
  await tables.flushed();
  for (const resource of insertedResources) await outer.files.keep(owner, resource);
  for (const resourceId of deletedResources) await removeResourceBlobs(outer.blobs, owner, resourceId);
}

/** Copies in a write transaction, and only records that still exist: a copy made after the user was forgotten would outlive that. */
async function copyCommitted(
  outer: Outer,
  owner: ArtifactOwner,
  { changeId, firstSeq, records }: CommittedChange,
): Promise<void> {
  await outer.database.write(owner, async (tables) => {
    const present = await tables.audit.records(owner.userId, { after: firstSeq - 1n, limit: records.length });
    const texts = present.map(({ record }) => record);
    if (texts[0] === records[0]) await putAuditCopy(outer.blobs, owner, { firstSeq, records: texts });
  });
  const journal = outer.journals.get(owner, changeId);
  if (journal !== undefined) journal.copiedSeq = firstSeq + BigInt(records.length) - 1n;
}
