import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { makeChanges } from './commit-outer.js';
import { inTransaction } from './in-transaction.js';
import { isUntouched } from './is-untouched.js';
import { type JournalEntry, journalKey, parseJournal } from './journal.js';
import type { OuterArtifacts } from './outer-artifacts.js';

/** Answers false where the database knows nothing of the user's part of the outer store, and there is one. */
export async function completeJournal(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<boolean> {
  const [head, stored] = await Promise.all([
    inTransaction(engine, owner, (tables) => tables.outerHeads.get()),
    outer.store.get(owner, journalKey),
  ]);
  if (head === undefined) return stored === undefined && isUntouched(outer, owner);
  if (stored !== undefined) await completeChange(engine, outer, owner, parseJournal(stored.text));
  return true;
}

/** Makes a decided change in the database as well, unless it is there, or `isRecorded` finds its records. */
export async function completeChange(
  engine: Engine,
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  entry: JournalEntry,
  isRecorded: (tables: Tables) => Promise<boolean> = async () => false,
): Promise<void> {
  const puts = entry.changes.flatMap(({ put }) => put ?? []);
  const gone = entry.changes.flatMap(({ key, put }) => (put === null ? [key] : []));
  const storeDerived = await outer.derive.rows(engine, owner, puts, gone);
  await inTransaction(engine, owner, async (tables) => {
    const head = await tables.outerHeads.get();
    if (head === undefined || head.changeId === entry.changeId) return;
    const present = await outer.store.get(owner, journalKey);
    // Somebody else was here meanwhile.
    if (present === undefined || parseJournal(present.text).changeId !== entry.changeId) return;
    if (!(await isRecorded(tables))) {
      await redo(outer, owner, tables, entry);
      await storeDerived(tables);
    }
    tables.outerHeads.put({ ...head, changeId: entry.changeId });
  });
}

async function redo(outer: OuterArtifacts, owner: ArtifactOwner, tables: Tables, entry: JournalEntry): Promise<void> {
  tables.audit.append(entry.records);
  for (const { key, put } of entry.changes) {
    if (put === null) tables.artifacts.delete(key);
    else tables.artifacts.put(put);
  }
  const { idempotency, replays, tenantKeys, quarantine } = entry.companions;
  for (const record of idempotency) tables.idempotencyKeys.put(record);
  for (const replay of replays) tables.replays.put(replay);
  for (const key of tenantKeys) tables.tenantKeys.add(key);
  for (const { id, put } of quarantine) {
    if (put === null) tables.quarantine.delete(id);
    else tables.quarantine.put(put);
  }
  await makeChanges(outer, owner, tables, entry);
}
