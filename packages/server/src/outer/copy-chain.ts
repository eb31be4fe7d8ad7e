import type { ArtifactOwner } from '../ports/artifact-store.js';
import { copyAudit } from './audit-copy.js';
import { isUntouched } from './is-untouched.js';
import type { Outer } from './outer.js';
import { copyRegistry } from './registry-copy.js';

/**
 * Copies the audit records of a user, or of the tenant (''), that the outer store does not have yet. Skips a user whose
 * records in the outer store were never compared with those in the database.
 */
export async function copyChain(outer: Outer, owner: ArtifactOwner): Promise<void> {
  await outer.database.write(owner, async (tables) => {
    const [head, outerHead] = await Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get()]);
    if (head === undefined || (outerHead === undefined && !(await isUntouched(outer.blobs, owner)))) return;
    const { changeId, auditSeq } = outerHead ?? { changeId: '', auditSeq: 0n };
    const journal = outer.journals.get(owner, changeId);
    const range = { after: journal?.copiedSeq ?? auditSeq, upTo: head.seq };
    await copyAudit(outer.blobs, owner, tables, range);
    if (journal !== undefined) journal.copiedSeq = head.seq;
    if (auditSeq < head.seq) tables.outerHeads.put({ changeId, auditSeq: head.seq });
  });
}

/** Copies the chains that this node has noted. If one fails, it and the rest stay noted. */
export async function copyNoted(outer: Outer): Promise<void> {
  await outer.copies.finished();
  const owners = outer.copies.take();
  for (const [index, owner] of owners.entries()) {
    try {
      if (owner.userId === '') await copyRegistry(outer, owner.tenantId);
      await copyChain(outer, owner);
    } catch (error) {
      for (const left of owners.slice(index)) outer.copies.note(left);
      throw error;
    }
  }
}
