import { type Memory, type MemoryFilter, type Partition, partitionKey } from '../../ports/memories.js';
import { workspaceOwner } from '../../ports/owners.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import { pieceKind } from '../document-pieces/piece-memory.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from '../memories/kinds.js';
import { firstPageSize, nextPageSize } from '../next-page-size.js';
import type { Member } from '../one-memory/member.js';
import { readingOf } from '../one-memory/reading.js';
import { resourceKind } from '../resources/resource-chunks.js';
import { inWorkspace } from '../tier-path.js';
import { screenChanged } from '../tiers/screen-changed.js';
import { tierKind } from '../tiers/tier-place.js';
import type { ExportPart, ExportSection } from './export-part.js';

/** Memories per page; fewer if they are long. */
const largestPage = 200;
const sessionsPerPage = 100;

/** What was said and what happened; shown by session. */
const spokenKinds: readonly MemoryKind[] = ['episodic', 'event'];
/** Pieces of records that are exported themselves. */
const pieceKinds: readonly MemoryKind[] = [pieceKind, resourceKind, tierKind];

/** What the user asked to remember, or others for the user: private, then in the workspace, in other namespaces and in public. */
export async function* exportRemembered(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  const { reader, partitionFilters } = readingOf(member, { scopes: ['own'] });
  const mine = { userIds: [member.userId] };
  const everywhere = { ...reader, namespaces: member.grants.map(({ name }) => name) };
  const own: Partition = { kind: 'user', userId: member.userId };
  yield* arriving(engine, everywhere, own, { notKinds: [...spokenKinds, ...pieceKinds] }, 'remembered');
  for (const { name } of member.grants) {
    const partition: Partition = { kind: 'namespace', name };
    const filter = partitionFilters.get(partitionKey(partition)) ?? mine;
    yield* arriving(engine, everywhere, partition, filter, 'remembered');
  }
  yield* arriving(engine, everywhere, { kind: 'public' }, mine, 'remembered');
}

/** What the user wrote in notes of the workspace. Each note is read at once, because its pieces change with it. */
export async function* exportNotes(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  const { workspaceId } = member.tiers;
  await screenChanged(engine, inWorkspace<Caller>(member, workspaceId), member.tiers);
  const { reader, partitionFilters } = readingOf(member, { scopes: ['own'] });
  const partition: Partition = { kind: 'user', userId: workspaceOwner(workspaceId) };
  const filter = { ...partitionFilters.get(partitionKey(partition)), kinds: [tierKind] };
  for await (const page of sessionsOf(engine, reader, partition, filter)) {
    for (const { id } of page) {
      const now = engine.clock.now();
      const inNote = { ...filter, sessionIds: [id] };
      const pieces = await engine.store.read(scopeOf(reader), async (tables) => {
        const seqs = await arrivalsOf(tables, partition, inNote);
        return tables.memories.arrivedAs(partition, inNote, { seqs, now });
      });
      yield pieces.map((memory) => ({ type: 'memory', section: 'notes', memory }));
    }
  }
}

/** What was said, in order of arrival. */
export function exportSpoken(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  const own: Partition = { kind: 'user', userId: member.userId };
  return arriving(engine, member, own, { kinds: spokenKinds }, 'conversations');
}

/**
 * What was said, session by session, then what belongs to none: for people. A memory that moves to another session meanwhile can be
 * missing.
 */
export async function* exportConversations(engine: Engine, member: Member): AsyncGenerator<ExportPart[]> {
  const partition: Partition = { kind: 'user', userId: member.userId };
  const filter = { kinds: spokenKinds };
  for await (const page of sessionsOf(engine, member, partition, filter)) {
    const inPage = { ...filter, sessionIds: page.map(({ id }) => id) };
    const seqs = page.flatMap((session) => session.seqs);
    yield* arrived(engine, member, partition, inPage, seqs, 'conversations');
  }
  yield* arriving(engine, member, partition, filter, 'conversations', true);
}

/**
 * Yields memories in order of arrival, which an update does not change; up to the last one that is there after the first page, so that
 * it ends however much is written.
 */
export async function* arriving(
  engine: Engine,
  reader: Caller,
  partition: Partition,
  filter: MemoryFilter,
  section: ExportSection,
  withoutSession = false,
): AsyncGenerator<ExportPart[]> {
  const scope = scopeOf(reader);
  const now = engine.clock.now();
  let end: bigint | undefined;
  let limit = firstPageSize;
  for (let after = 0n; end === undefined || after < end; ) {
    const page = await engine.store.read(scope, ({ memories }) =>
      memories.arrivedAfter(partition, filter, { after, limit, now, withoutSession }),
    );
    yield page.map(({ memory }) => ({ type: 'memory', section, memory }));
    if (page.length < limit) return;
    after = page.at(-1)?.seq ?? after;
    limit = nextPageSize({ size: limit, chars: charsOf(page.map(({ memory }) => memory)), most: largestPage });
    end ??= await lastOf(engine, reader, partition, filter);
  }
}

/**
 * Yields memories by their numbers of arrival, which were read from the index of sessions: to read a session in order of arrival, the
 * database would go through the memories of all other sessions.
 */
async function* arrived(
  engine: Engine,
  reader: Caller,
  partition: Partition,
  filter: MemoryFilter,
  all: readonly number[],
  section: ExportSection,
): AsyncGenerator<ExportPart[]> {
  const now = engine.clock.now();
  let limit = firstPageSize;
  for (let at = 0; at < all.length; ) {
    const seqs = all.slice(at, at + limit);
    const page = await engine.store.read(scopeOf(reader), ({ memories }) =>
      memories.arrivedAs(partition, filter, { seqs, now }),
    );
    yield page.map((memory) => ({ type: 'memory', section, memory }));
    at += seqs.length;
    limit = nextPageSize({ size: limit, chars: charsOf(page), most: largestPage });
  }
}

/** The pieces of a file, in their order. */
export async function* exportPieces(engine: Engine, member: Member, sessionId: string): AsyncGenerator<ExportPart[]> {
  const partition: Partition = { kind: 'user', userId: member.userId };
  const filter = { kinds: [resourceKind], sessionIds: [sessionId] };
  const seqs = await engine.store.read(scopeOf(member), (tables) => arrivalsOf(tables, partition, filter));
  yield* arrived(engine, member, partition, filter, seqs, 'files');
}

/** Returns the numbers of arrival of memories, in their order. */
async function arrivalsOf(tables: Tables, partition: Partition, filter: MemoryFilter): Promise<number[]> {
  return [...(await tables.memoryIndex.matching(partition, filter)).sort()];
}

function charsOf(page: readonly Memory[]): number {
  return page.reduce((sum, { content }) => sum + content.length, 0);
}

async function lastOf(engine: Engine, reader: Caller, partition: Partition, filter: MemoryFilter): Promise<bigint> {
  const newest = { before: undefined, limit: 1, now: engine.clock.now() };
  const [last] = await engine.store.read(scopeOf(reader), ({ memories }) => memories.list([partition], filter, newest));
  return last?.seq ?? 0n;
}

async function* sessionsOf(
  engine: Engine,
  reader: Caller,
  partition: Partition,
  filter: MemoryFilter,
): AsyncGenerator<{ id: string; seqs: number[] }[]> {
  for (let after = ''; ; ) {
    const page = { after, limit: sessionsPerPage };
    const found = await engine.store.read(scopeOf(reader), ({ memories }) =>
      memories.sessions(partition, filter, page),
    );
    yield found;
    if (found.length < sessionsPerPage) return;
    after = found.at(-1)?.id ?? after;
  }
}
