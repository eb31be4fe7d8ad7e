import { Problem } from '@memhall/core';
import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { type AuditCopy, auditKey, firstSeqOf, parseAuditCopy } from './audit-copy.js';
import { completeChange } from './complete-journal.js';
import { copyChain } from './copy-chain.js';
import { deriveFromRecord } from './derive-from-record.js';
import { inTransaction } from './in-transaction.js';
import { type JournalEntry, journalKey, parseJournal } from './journal.js';
import type { OuterArtifacts } from './outer-artifacts.js';
import { restoreQuarantine } from './outer-quarantine.js';
import { restoreArtifacts } from './restore-artifacts.js';

/**
 * Makes the database hold what the outer store holds of a user, or of the tenant (''), from whatever it holds now.
 * Others may read and write meanwhile: each step is a transaction of its own that leaves things no worse.
 */
export async function rebuildUser(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  outer.forget(owner);
  await restoreAudit(engine, outer, owner);
  await restoreJournal(engine, outer, owner);
  await restoreArtifacts(engine, outer, owner);
  await restoreQuarantine(engine, outer, owner);
  if (owner.userId !== '') await outer.derive.resources(engine, outer, owner);
  await copyChain(engine, outer, owner);
}

async function restoreAudit(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  const firstSeqs: bigint[] = [];
  for await (const { name } of outer.store.list(owner, 'audit')) {
    const firstSeq = firstSeqOf(name);
    if (firstSeq !== undefined) firstSeqs.push(firstSeq);
  }
  const known = await inTransaction(engine, owner, async (tables) => {
    const [head, outerHead] = await Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get()]);
    if (outerHead === undefined) tables.outerHeads.put({ changeId: '', auditSeq: 0n });
    return head?.seq ?? 0n;
  });
  const start = firstSeqs.findLastIndex((firstSeq) => firstSeq <= known);
  for (const firstSeq of firstSeqs.slice(Math.max(start, 0))) {
    const stored = await outer.store.get(owner, auditKey(firstSeq));
    if (stored === undefined) continue;
    const copy = parseAuditCopy(stored.text);
    await inTransaction(engine, owner, (tables) => appendCopy(engine, owner, tables, copy));
  }
}

async function appendCopy(engine: Engine, owner: ArtifactOwner, tables: Tables, copy: AuditCopy): Promise<void> {
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
  for (const record of fresh) deriveFromRecord(tables, record, engine.clock.now());
  tables.outerHeads.put({ changeId: outerHead?.changeId ?? '', auditSeq: lastSeq });
}

/** The last change may not have been copied to the audit records yet; it is there if its first record is. */
async function restoreJournal(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  const stored = await outer.store.get(owner, journalKey);
  if (stored === undefined) return;
  const entry = parseJournal(stored.text);
  await completeChange(engine, outer, owner, entry, (tables) => isRecorded(tables, entry));
}

/** No later change has the same target, since the journal holds the last one. */
async function isRecorded(tables: Tables, { records }: JournalEntry): Promise<boolean> {
  const [first] = records;
  if (first === undefined) return true;
  const { target } = JSON.parse(first) as { target: string };
  const [newest] = await tables.audit.list({ target }, { before: undefined, limit: 1 });
  return newest?.record === first;
}

function diverged({ tenantId, userId }: ArtifactOwner, seq: bigint): Problem {
  const message = `The audit records of tenant ${tenantId}, user ${userId || '(none)'} differ from those in the artifact store, from number ${seq} on: the database is not derived from this store, or was restored from a backup. Start with an empty one.`;
  return new Problem('CONFLICT', message);
}
