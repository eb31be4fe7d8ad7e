import type { ArtifactOwner } from '../ports/artifact-store.js';
import type { Tables } from '../ports/store.js';
import { makeChanges } from './commit-change.js';
import { deriveRows } from './derive-rows.js';
import { forgetLate } from './forget-late.js';
import { isUntouched } from './is-untouched.js';
import { type JournalEntry, journalKey, parseJournal } from './journal.js';
import type { Outer } from './outer.js';

/** Completes the last decided change of a user. Returns false if the outer store has data of the user that the database never saw. */
export async function completeJournal(outer: Outer, owner: ArtifactOwner): Promise<boolean> {
  const [head, stored] = await Promise.all([
    outer.database.write(owner, (tables) => tables.outerHeads.get()),
    outer.blobs.get(owner, journalKey),
  ]);
  if (head === undefined) return stored === undefined && isUntouched(outer.blobs, owner);
  if (stored !== undefined) await completeChange(outer, owner, parseJournal(stored.text));
  return true;
}

/** Makes a decided change in the database as well, unless it is there already or `isRecorded` finds its records. */
export async function completeChange(
  outer: Outer,
  owner: ArtifactOwner,
  entry: JournalEntry,
  isRecorded: (tables: Tables) => Promise<boolean> = async () => false,
): Promise<void> {
  const puts = entry.changes.flatMap(({ put }) => put ?? []);
  const gone = entry.changes.flatMap(({ key, put }) => (put === null ? [key] : []));
  const storeDerived = await deriveRows(outer.engine, owner, puts, gone);
  const isCompleted = await outer.database.write(owner, async (tables) => {
    const head = await tables.outerHeads.get();
    if (head === undefined || head.changeId === entry.changeId) return false;
    const present = await outer.blobs.get(owner, journalKey);
    // Another process has completed it and gone on.
    if (present === undefined || parseJournal(present.text).changeId !== entry.changeId) return false;
    const isMissing = !(await isRecorded(tables));
    if (isMissing) {
      await redo(outer, owner, tables, entry);
      await storeDerived(tables);
    }
    tables.outerHeads.put({ ...head, changeId: entry.changeId });
    return isMissing;
  });
  if (isCompleted) await forgetLate(outer, owner, entry);
}

async function redo(outer: Outer, owner: ArtifactOwner, tables: Tables, entry: JournalEntry): Promise<void> {
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
