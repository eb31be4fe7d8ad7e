import { type Memory, type MemoryFilter, type Partition, partitionKey } from '../../ports/memories.js';
import { workspaceOwner } from '../../ports/owners.js';
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
  for await (const sessionId of sessionsOf(engine, reader, partition, filter)) {
    const now = engine.clock.now();
    const pieces = await engine.store.read(scopeOf(reader), async ({ memories }) => {
      const found: Memory[] = [];
      for (let after = 0n, isLast = false; !isLast; ) {
        const inNote = { ...filter, sessionIds: [sessionId] };
        const page = await memories.arrivedAfter(partition, inNote, { after, limit: largestPage, now });
        found.push(...page.map(({ memory }) => memory));
        after = page.at(-1)?.seq ?? after;
        isLast = page.length < largestPage;
      }
      return found;
    });
    yield pieces.map((memory) => ({ type: 'memory', section: 'notes', memory }));
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
  for await (const sessionId of sessionsOf(engine, member, partition, filter)) {
    yield* arriving(engine, member, partition, { ...filter, sessionIds: [sessionId] }, 'conversations');
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
    const chars = page.reduce((sum, { memory }) => sum + memory.content.length, 0);
    limit = nextPageSize({ size: limit, chars, most: largestPage });
    end ??= await lastOf(engine, reader, partition, filter);
  }
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
): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = { after, limit: sessionsPerPage };
    const found = await engine.store.read(scopeOf(reader), ({ memories }) =>
      memories.sessions(partition, filter, page),
    );
    yield* found;
    if (found.length < sessionsPerPage) return;
    after = found.at(-1) ?? after;
  }
}
