import type { ArtifactOwner } from '../../ports/artifact-store.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';
import { makeChanges } from './commit-outer.js';
import { deriveRows } from './derive-rows.js';
import { inTransaction } from './in-transaction.js';
import { isUntouched } from './is-untouched.js';
import { type JournalEntry, journalKey, parseJournal } from './journal.js';
import type { OuterArtifacts } from './outer-artifacts.js';

/** Answers false where the database knows nothing of the user's part of the outer store, and there is one. */
export async function completeJournal(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<boolean> {
  return inTransaction(engine, owner, async (tables) => {
    const head = await tables.outerHeads.get();
    const stored = await outer.store.get(owner, journalKey);
    if (stored === undefined) return head !== undefined || (await isUntouched(outer, owner));
    const entry = parseJournal(stored.text);
    if (head === undefined) return false;
    if (entry.changeId !== head.changeId) {
      await redo(outer, owner, tables, entry);
      tables.outerHeads.put({ ...head, changeId: entry.changeId });
    }
    return true;
  });
}

/** A decided change that did not reach the database. */
export async function redo(
  outer: OuterArtifacts,
  owner: ArtifactOwner,
  tables: Tables,
  entry: JournalEntry,
): Promise<void> {
  tables.audit.append(entry.records);
  for (const { key, put } of entry.changes) {
    if (put === null) tables.artifacts.delete(key);
    else {
      tables.artifacts.put(put);
      deriveRows(tables, put);
    }
  }
  for (const record of entry.idempotency) tables.idempotencyKeys.put(record);
  await makeChanges(outer, owner, tables, entry);
}
