import type { Change } from '../../ports/changes.js';
import { partitionKey } from '../../ports/memories.js';
import { workspaceOwner } from '../../ports/owners.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { partitionsOf } from '../memories/scope-partitions.js';
import type { Member } from '../one-memory/member.js';
import { readingOf } from '../one-memory/reading.js';
import { decodeChangeCursor, encodeChangeCursor } from './change-cursor.js';

/** A change, and the cursor that continues after it. */
export interface FollowedChange extends Change {
  cursor: string;
}

interface ChangePage {
  changes: FollowedChange[];
  /** Continues after this page, also if it is empty. */
  nextCursor: string;
}

/** Continues where everything up to now has been read. */
export const fromNow = 'now';

/**
 * Returns what changed within the caller's scope after a cursor, or since the oldest change that is kept. Nothing is left out that
 * was committed, and nothing comes twice. What a caller is allowed to see only later is returned from its beginning.
 * Throws INVALID_REQUEST or CURSOR_EXPIRED.
 */
export async function readChanges(
  engine: Engine,
  member: Member,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<ChangePage> {
  const { reader, scope } = readingOf(member);
  const keys = partitionsOf(reader, scope).map(partitionKey);
  const issuedAt = engine.clock.now();
  const toCursor = (positions: ReadonlyMap<string, bigint>) => encodeChangeCursor({ issuedAt, positions });
  if (after === fromNow) {
    const last = await engine.store.read(scopeOf(reader), (tables) => tables.changes.last(keys));
    return { changes: [], nextCursor: toCursor(last) };
  }
  const begun = after === undefined ? undefined : decodeChangeCursor(after, issuedAt).positions;
  const positions = new Map(keys.map((key) => [key, begun?.get(key) ?? 0n]));
  const found = await engine.store.read(scopeOf(reader), (tables) => tables.changes.after(positions, limit));
  const changes = found.flatMap((change) => {
    positions.set(change.partition, change.position);
    return isVisible(reader, change) ? { ...change, cursor: toCursor(positions) } : [];
  });
  return { changes, nextCursor: toCursor(positions) };
}

/** Returns whether the caller may see it: agents and crews see only their own notes of a workspace. */
function isVisible({ workspaceId, noteOwners }: Caller, { partition, noteOwner }: Change): boolean {
  if (noteOwners === undefined || workspaceId === undefined) return true;
  if (partition !== partitionKey({ kind: 'user', userId: workspaceOwner(workspaceId) })) return true;
  return noteOwner !== null && noteOwners.includes(noteOwner);
}
