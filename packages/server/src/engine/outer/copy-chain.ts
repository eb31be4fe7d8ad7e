import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Engine } from '../engine.js';
import { copyAudit } from './audit-copy.js';
import { inTransaction } from './in-transaction.js';
import { isUntouched } from './is-untouched.js';
import type { OuterArtifacts } from './outer-artifacts.js';
import { copyRegistry } from './registry-copy.js';

/**
 * Copies the audit records of a user, or of the tenant (''), that the outer store has not got yet. Leaves a user alone
 * whose records there were never compared with the database's.
 */
export async function copyChain(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  await inTransaction(engine, owner, async (tables) => {
    const [head, outerHead] = await Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get()]);
    if (head === undefined || (outerHead === undefined && !(await isUntouched(outer, owner)))) return;
    const { changeId, auditSeq } = outerHead ?? { changeId: '', auditSeq: 0n };
    const memory = outer.recall(owner, changeId);
    const range = { after: memory?.copiedSeq ?? auditSeq, upTo: head.seq };
    await copyAudit(outer.store, owner, tables, range);
    if (memory !== undefined) memory.copiedSeq = head.seq;
    if (auditSeq < head.seq) tables.outerHeads.put({ changeId, auditSeq: head.seq });
  });
}

/** Copies what this node knows to be missing. A failure leaves the rest noted for the next time. */
export async function copyNoted(engine: Engine, outer: OuterArtifacts): Promise<void> {
  await outer.copied();
  const owners = outer.takeUncopied();
  for (const [index, owner] of owners.entries()) {
    try {
      if (owner.userId === '') await copyRegistry(engine, outer, owner.tenantId);
      await copyChain(engine, outer, owner);
    } catch (error) {
      for (const left of owners.slice(index)) outer.noteUncopied(left);
      throw error;
    }
  }
}
