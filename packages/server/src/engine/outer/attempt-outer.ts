import { Problem } from '@memhall/core';
import type { ArtifactOwner } from '../../ports/artifact-store.js';
import { recordMutations, type Work } from '../audit/record-mutations.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { ArtifactTrace } from './artifact-trace.js';
import { putAuditCopy } from './audit-copy.js';
import { type CommittedChange, commitOuter } from './commit-outer.js';
import { confirmSeen } from './confirm-seen.js';
import { inTransaction } from './in-transaction.js';
import type { OuterArtifacts } from './outer-artifacts.js';

export function ownerOf({ tenantId, userId }: Caller): ArtifactOwner {
  return { tenantId, userId };
}

/**
 * One transaction of a user whose artifacts live in the outer store. A change without artifacts is the database's alone;
 * its audit records are copied later. Throws Outdated when the database has to catch up first.
 */
export async function attemptOuter<T>(
  engine: Engine,
  outer: OuterArtifacts,
  caller: Caller,
  work: Work<T>,
): Promise<T> {
  const owner = ownerOf(caller);
  const now = engine.clock.now();
  const { result, records, committed } = await confirmingRefusals(outer, owner, (follow) =>
    engine.store.write(scopeOf(caller), async (tables) => {
      const trace = follow(new ArtifactTrace(tables));
      const done = await recordMutations(caller, trace.tables, now, work);
      const committed = trace.hasChanges
        ? await commitOuter(outer, owner, tables, trace, done.records, now)
        : undefined;
      return { ...done, committed };
    }),
  );
  if (committed !== undefined) outer.copyInBackground(owner, () => copyCommitted(engine, outer, owner, committed));
  else if (records.length > 0) outer.noteUncopied(owner);
  return result;
}

/** A refusal that goes by outdated rows is none: throws Outdated instead. */
export async function confirmingRefusals<T>(
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  attempt: (follow: (trace: ArtifactTrace) => ArtifactTrace) => Promise<T>,
): Promise<T> {
  let followed: ArtifactTrace | undefined;
  try {
    return await attempt((trace) => {
      // The database wants the transaction once more; whoever comes next completes the one there was.
      if (followed?.isDecided) throw new Problem('UNAVAILABLE', 'Try again shortly.', { retryAfterSeconds: 1 });
      followed = trace;
      return trace;
    });
  } catch (error) {
    const isRefusal = error instanceof Problem && error.code !== 'UNAVAILABLE';
    if (isRefusal && followed !== undefined) await confirmSeen(outer.store, owner, followed.seen);
    throw error;
  }
}

/** In the user's turn, and only what is still there: a copy that is made after the user was forgotten would outlive that. */
async function copyCommitted(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  { changeId, firstSeq, records }: CommittedChange,
): Promise<void> {
  await inTransaction(engine, owner, async (tables) => {
    const [first] = await tables.audit.records(owner.userId, { after: firstSeq - 1n, limit: 1 });
    if (first?.record === records[0]) await putAuditCopy(outer.store, owner, { firstSeq, records });
  });
  const memory = outer.recall(owner, changeId);
  if (memory !== undefined) memory.copiedSeq = firstSeq + BigInt(records.length) - 1n;
}
