import type { ArtifactOwner, StoredKey } from '../ports/artifact-store.js';
import type { QuarantinedText } from '../ports/quarantine.js';
import { carryOut, type OuterChange } from './carry-out.js';
import type { Outer } from './outer.js';
import { fromQuarantineText, type QuarantineText, toQuarantineText } from './quarantine-text.js';
import type { QuarantineChange } from './traced-tables.js';

/** A released text is never held again, so of two states the later one is known. */
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
 * Restores quarantined texts that the database lacks, and copies those that are older than the outer store's quarantine. A blob
 * that was edited is reported and skipped.
 */
export async function restoreQuarantine(outer: Outer, owner: ArtifactOwner): Promise<void> {
  const { blobs, database, engine } = outer;
  const listed = new Set<string>();
  for await (const { name } of blobs.list(owner, 'quarantine')) {
    listed.add(name);
    // The blob is read in the write transaction: a text that was decided about in the meantime must not come back.
    await database.write(owner, async (tables) => {
      const stored = await blobs.get(owner, keyOf(name));
      if (stored === undefined) return;
      if (stored.facts !== null) tables.quarantine.put(fromQuarantineText(JSON.parse(stored.text) as QuarantineText));
      else engine.onFault(new Error(`quarantine ${name} is not as Memhall wrote it`), 'restore an artifact');
    });
  }
  await database.write(owner, async (tables) => {
    for (const text of await tables.quarantine.all()) {
      if (listed.has(text.id)) continue;
      await carryOut(blobs, owner, toOuterQuarantine({ id: text.id, put: text }), text.updatedAt);
    }
  });
}

function keyOf(id: string): StoredKey {
  return { kind: 'quarantine', folder: '', name: id };
}
