import { uuidv7 } from '@memhall/core';
import type { ArtifactOwner, StoredCondition } from '../../ports/artifact-store.js';
import type { OuterHead } from '../../ports/outer-heads.js';
import type { Tables } from '../../ports/store.js';
import type { ArtifactTrace } from './artifact-trace.js';
import { copyAudit } from './audit-copy.js';
import { carryOut, isMismatch } from './carry-out.js';
import { confirmSeen } from './confirm-seen.js';
import { isUntouched } from './is-untouched.js';
import { type JournalEntry, journalKey, parseJournal, toJournalText } from './journal.js';
import { Outdated } from './outdated.js';
import type { OuterArtifacts } from './outer-artifacts.js';
import { toOuterQuarantine } from './outer-quarantine.js';

/** A change that is in the outer store, but for its audit records; `firstSeq` is the place of the first one. */
export interface CommittedChange {
  changeId: string;
  firstSeq: bigint;
  records: readonly string[];
}

/**
 * The last step before COMMIT of a transaction that changes artifacts: brings its changes to the outer store.
 *
 * Until the journal is put, nothing has happened; from then on the change is decided, and whoever comes next completes
 * it if this process cannot. So all that might refuse the change comes before: every statement has succeeded, and the
 * documents it went by are confirmed. Throws Outdated when the transaction has to be run again.
 */
export async function commitOuter(
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  tables: Tables,
  trace: ArtifactTrace,
  records: readonly string[],
  now: Date,
): Promise<CommittedChange> {
  const asked = Promise.all([tables.audit.head(owner.userId), tables.outerHeads.get(), trace.changes()]);
  asked.catch(() => undefined);
  await tables.flushed();
  const [head, outerHead, changes] = await asked;
  const firstSeq = (head?.seq ?? 0n) - BigInt(records.length) + 1n;

  const copied = outer.recall(owner, outerHead?.changeId)?.copiedSeq ?? outerHead?.auditSeq ?? 0n;
  const [condition] = await Promise.all([
    journalCondition(outer, owner, outerHead).then(async (condition) => {
      // What the journal tells of the change before must be elsewhere before it is overwritten.
      await copyAudit(outer.store, owner, tables, { after: copied, upTo: firstSeq - 1n });
      return condition;
    }),
    confirmSeen(outer.store, owner, documentsOf(trace, changes)),
  ]);

  const entry: JournalEntry = {
    changeId: uuidv7(now.getTime()),
    at: now,
    records,
    changes,
    companions: trace.companions,
  };
  const journalTag = await putJournal(outer, owner, entry, condition);
  trace.isDecided = true;
  outer.remember(owner, { changeId: entry.changeId, journalTag, copiedSeq: firstSeq - 1n });
  await makeChanges(outer, owner, tables, entry);
  tables.outerHeads.put({ changeId: entry.changeId, auditSeq: firstSeq - 1n });
  return { changeId: entry.changeId, firstSeq, records };
}

/** Makes the changes of a decided entry in the outer store, and notes their tags. */
export async function makeChanges(
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  tables: Tables,
  { changes, companions, at }: JournalEntry,
): Promise<void> {
  const tags = await Promise.all(changes.map((change) => carryOut(outer.store, owner, change, at)));
  await Promise.all(companions.quarantine.map((change) => carryOut(outer.store, owner, toOuterQuarantine(change), at)));
  for (const [index, { key }] of changes.entries()) {
    const tag = tags[index];
    if (tag) tables.artifacts.setOuterTag(key, tag);
  }
}

/** Documents the change goes by: those it read, and those it writes without having read them. */
function documentsOf(trace: ArtifactTrace, changes: JournalEntry['changes']) {
  const seen = trace.seen;
  const known = new Set(seen.map(({ key }) => `${key.folder}\n${key.name}`));
  const blind = changes.filter(
    ({ key, put }) => key.kind === 'document' && put !== null && !known.has(`${key.folder}\n${key.name}`),
  );
  return [...seen, ...blind];
}

/** Under which condition the journal may be overwritten: it must hold the last change that is in the database. */
async function journalCondition(
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  outerHead: OuterHead | undefined,
): Promise<StoredCondition> {
  const memory = outer.recall(owner, outerHead?.changeId);
  if (memory !== undefined) return { tag: memory.journalTag };
  const stored = await outer.store.get(owner, journalKey);
  if (stored === undefined) {
    if (outerHead !== undefined || (await isUntouched(outer, owner))) return 'absent';
    throw new Outdated([]);
  }
  if (parseJournal(stored.text).changeId !== outerHead?.changeId) throw new Outdated([]);
  return { tag: stored.tag };
}

async function putJournal(
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  entry: JournalEntry,
  condition: StoredCondition,
): Promise<string> {
  try {
    return await outer.store.put(owner, journalKey, { text: toJournalText(entry), facts: null }, condition);
  } catch (error) {
    if (!isMismatch(error)) throw error;
    outer.forget(owner);
    throw new Outdated([]);
  }
}
