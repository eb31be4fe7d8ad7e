import type { ArtifactOwner, StoredKey } from '../../ports/artifact-store.js';
import type { QuarantinedText } from '../../ports/quarantine.js';
import type { Engine } from '../engine.js';
import type { QuarantineChange } from './artifact-trace.js';
import { carryOut, type OuterChange } from './carry-out.js';
import { inTransaction } from './in-transaction.js';
import type { OuterArtifacts } from './outer-artifacts.js';
import { fromQuarantineText, type QuarantineText, toQuarantineText } from './quarantine-text.js';

/** What was released is never held again, so that of two states the later one is known. */
const versions: Record<QuarantinedText['status'], number> = { held: 1, released: 2 };

export function toOuterQuarantine({ id, put }: QuarantineChange): OuterChange {
  return { key: keyOf(id), tag: null, put: put && toStored(put) };
}

function toStored(text: QuarantinedText): NonNullable<OuterChange['put']> {
  const { id, status, createdAt, updatedAt } = text;
  const facts = { version: versions[status], etag: `${id}-${updatedAt.getTime()}`, sizeChars: text.text.length };
  return { ...facts, occurredAt: createdAt, createdAt, updatedAt, body: toQuarantineText(text) };
}

/**
 * Texts in quarantine that the database has not got; and the other way round, those that were kept before the outer store kept
 * any. A blob that somebody edited is told and left alone.
 */
export async function restoreQuarantine(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void> {
  const listed = new Set<string>();
  for await (const { name } of outer.store.list(owner, 'quarantine')) {
    listed.add(name);
    // In the user's turn: what is decided about meanwhile must not come back.
    await inTransaction(engine, owner, async (tables) => {
      const stored = await outer.store.get(owner, keyOf(name));
      if (stored === undefined) return;
      if (stored.facts !== null) tables.quarantine.put(fromQuarantineText(JSON.parse(stored.text) as QuarantineText));
      else engine.onFault(new Error(`quarantine ${name} is not as Memhall wrote it`), 'restore an artifact');
    });
  }
  await inTransaction(engine, owner, async (tables) => {
    for (const text of await tables.quarantine.all()) {
      if (listed.has(text.id)) continue;
      await carryOut(outer.store, owner, toOuterQuarantine({ id: text.id, put: text }), text.updatedAt);
    }
  });
}

function keyOf(id: string): StoredKey {
  return { kind: 'quarantine', folder: '', name: id };
}
