import { uuidv7 } from '@memhall/core';
import type { ArtifactOwner, StoredCondition } from '../ports/artifact-store.js';
import type { OuterHead } from '../ports/outer-heads.js';
import type { Tables } from '../ports/store.js';
import { copyAudit } from './audit-copy.js';
import { carryOut, isMismatch } from './carry-out.js';
import { confirmSeen } from './confirm-seen.js';
import { isUntouched } from './is-untouched.js';
import { type JournalEntry, journalKey, parseJournal, toJournalText } from './journal.js';
import type { Outer } from './outer.js';
import { toOuterQuarantine } from './quarantine-blobs.js';
import { StaleRows } from './stale-rows.js';
import type { TracedTables } from './traced-tables.js';

/** A change that is in the outer store, except for its audit records. `firstSeq` is the number of the first one. */
export interface CommittedChange {
  changeId: string;
  firstSeq: bigint;
  records: readonly string[];
}

/**
 * Brings the changes of a transaction to the outer store. The last step before COMMIT.
 *
 * Until the journal is written, nothing has happened. From then on the change is decided: if this process dies, the
 * next one completes it. So everything that could refuse the change comes before: every statement has succeeded, and
 * the documents it is based on are confirmed. Throws StaleRows if the transaction has to run again.
 */
export async function commitChange(
  outer: Outer,
  owner: ArtifactOwner,
  tables: Tables,
  traced: TracedTables,
  now: Date,
): Promise<CommittedChange> {
  const { records } = traced;
  const asked = Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get(), traced.changes()]);
  asked.catch(() => undefined);
  await tables.flushed();
  const [head, outerHead, changes] = await asked;
  const firstSeq = (head?.seq ?? 0n) - BigInt(records.length) + 1n;

  const copied = outer.journals.get(owner, outerHead?.changeId)?.copiedSeq ?? outerHead?.auditSeq ?? 0n;
  const [condition] = await Promise.all([
    journalCondition(outer, owner, outerHead).then(async (condition) => {
      // The journal holds the records of the previous change: copy them before it is overwritten.
      await copyAudit(outer.blobs, owner, tables, { after: copied, upTo: firstSeq - 1n });
      return condition;
    }),
    confirmSeen(outer.blobs, owner, documentsOf(traced, changes)),
  ]);

  const entry: JournalEntry = {
    changeId: uuidv7(now.getTime()),
    at: now,
    records,
    changes,
    companions: traced.companions,
  };
  const tag = await putJournal(outer, owner, entry, condition);
  traced.isDecided = true;
  outer.journals.set(owner, { changeId: entry.changeId, tag, copiedSeq: firstSeq - 1n });
  await makeChanges(outer, owner, tables, entry);
  tables.outerHeads.put({ changeId: entry.changeId, auditSeq: firstSeq - 1n });
  return { changeId: entry.changeId, firstSeq, records };
}

/** Makes the changes of a decided entry in the outer store, and stores their tags. */
export async function makeChanges(
  { blobs }: Outer,
  owner: ArtifactOwner,
  tables: Tables,
  { changes, companions, at }: JournalEntry,
): Promise<void> {
  const tags = await Promise.all(changes.map((change) => carryOut(blobs, owner, change, at)));
  await Promise.all(companions.quarantine.map((change) => carryOut(blobs, owner, toOuterQuarantine(change), at)));
  for (const [index, { key }] of changes.entries()) {
    const tag = tags[index];
    if (tag) tables.artifacts.setOuterTag(key, tag);
  }
}

/** Returns the documents that the change is based on: those it read, and those it overwrites without having read them. */
function documentsOf(traced: TracedTables, changes: JournalEntry['changes']) {
  const seen = traced.seen;
  const known = new Set(seen.map(({ key }) => `${key.folder}\n${key.name}`));
  const blind = changes.filter(
    ({ key, put }) => key.kind === 'document' && put !== null && !known.has(`${key.folder}\n${key.name}`),
  );
  return [...seen, ...blind];
}

/** Returns the condition for overwriting the journal: it must hold the last change that is in the database. */
async function journalCondition(
  outer: Outer,
  owner: ArtifactOwner,
  outerHead: OuterHead | undefined,
): Promise<StoredCondition> {
  const known = outer.journals.get(owner, outerHead?.changeId);
  if (known !== undefined) return { tag: known.tag };
  const stored = await outer.blobs.get(owner, journalKey);
  if (stored === undefined) {
    if (outerHead !== undefined || (await isUntouched(outer.blobs, owner))) return 'absent';
    throw new StaleRows([]);
  }
  if (parseJournal(stored.text).changeId !== outerHead?.changeId) throw new StaleRows([]);
  return { tag: stored.tag };
}

async function putJournal(
  outer: Outer,
  owner: ArtifactOwner,
  entry: JournalEntry,
  condition: StoredCondition,
): Promise<string> {
  try {
    return await outer.blobs.put(owner, journalKey, { text: toJournalText(entry), facts: null }, condition);
  } catch (error) {
    if (!isMismatch(error)) throw error;
    outer.journals.drop(owner);
    throw new StaleRows([]);
  }
}
