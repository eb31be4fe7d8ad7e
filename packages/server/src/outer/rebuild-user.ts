import { Problem } from '@memhall/core';
import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Tables } from '../ports/store.js';
import { type AuditCopy, auditKey, firstSeqOf, parseAuditCopy } from './audit-copy.js';
import { completeChange } from './complete-journal.js';
import { copyChain } from './copy-chain.js';
import { deriveFromRecord } from './derive-from-record.js';
import { type JournalEntry, journalKey, parseJournal } from './journal.js';
import type { Outer } from './outer.js';
import { restoreQuarantine } from './quarantine-blobs.js';
import { restoreArtifacts } from './restore-artifacts.js';
import { restoreResources } from './restore-resources.js';

/**
 * Makes the database hold what the outer store holds of a user, or of the tenant (''), whatever it holds now. Reads and writes
 * may go on: each step is a transaction that leaves the data no worse.
 */
export async function rebuildUser(outer: Outer, owner: ArtifactOwner): Promise<void> {
  outer.journals.drop(owner);
  await restoreAudit(outer, owner);
  await restoreJournal(outer, owner);
  await restoreArtifacts(outer, owner);
  await restoreQuarantine(outer, owner);
  if (owner.userId !== '') await restoreResources(outer, owner);
  await copyChain(outer, owner);
}

async function restoreAudit({ blobs, database, engine }: Outer, owner: ArtifactOwner): Promise<void> {
  const firstSeqs: bigint[] = [];
  for await (const { name } of blobs.list(owner, 'audit')) {
    const firstSeq = firstSeqOf(name);
    if (firstSeq !== undefined) firstSeqs.push(firstSeq);
  }
  const known = await database.write(owner, async (tables) => {
    const [head, outerHead] = await Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get()]);
    if (outerHead === undefined) tables.outerHeads.put({ changeId: '', auditSeq: 0n });
    return head?.seq ?? 0n;
  });
  const start = firstSeqs.findLastIndex((firstSeq) => firstSeq <= known);
  for (const firstSeq of firstSeqs.slice(Math.max(start, 0))) {
    const stored = await blobs.get(owner, auditKey(firstSeq));
    if (stored === undefined) continue;
    const copy = parseAuditCopy(stored.text);
    await database.write(owner, (tables) => appendCopy(owner, tables, copy, engine.clock.now()));
  }
}

async function appendCopy(owner: ArtifactOwner, tables: Tables, copy: AuditCopy, now: Date): Promise<void> {
  const [head, outerHead] = await Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get()]);
  const present = head?.seq ?? 0n;
  const lastSeq = copy.firstSeq + BigInt(copy.records.length) - 1n;
  if (copy.firstSeq > present + 1n) throw diverged(owner, present + 1n);
  if (copy.firstSeq <= present && lastSeq >= present) {
    const [same] = await tables.audit.records(owner.userId, { after: present - 1n, limit: 1 });
    if (same?.record !== copy.records[Number(present - copy.firstSeq)]) throw diverged(owner, present);
  }
  if (lastSeq <= present) return;
  const fresh = copy.records.slice(Number(present - copy.firstSeq) + 1);
  tables.audit.append(fresh);
  for (const record of fresh) deriveFromRecord(tables, record, now);
  tables.outerHeads.put({ changeId: outerHead?.changeId ?? '', auditSeq: lastSeq });
}

/** Completes the last change if it was not copied to the audit records yet: if its first record is missing. */
async function restoreJournal(outer: Outer, owner: ArtifactOwner): Promise<void> {
  const stored = await outer.blobs.get(owner, journalKey);
  if (stored === undefined) return;
  const entry = parseJournal(stored.text);
  await completeChange(outer, owner, entry, (tables) => isRecorded(tables, entry));
}

/** The journal holds the last change, so no later change has the same target. */
async function isRecorded(tables: Tables, { records }: JournalEntry): Promise<boolean> {
  const [first] = records;
  if (first === undefined) return true;
  const { target } = JSON.parse(first) as { target: string };
  const [newest] = await tables.audit.list({ target }, { before: undefined, limit: 1 });
  return newest?.record === first;
}

function diverged({ tenantId, userId }: ArtifactOwner, seq: bigint): Problem {
  const message = `The audit records of tenant ${tenantId}, user ${userId || '(none)'} differ from those in the artifact store, starting with number ${seq}. The database was not derived from this store, or was restored from a backup. Start with an empty database.`;
  return new Problem('CONFLICT', message);
}
