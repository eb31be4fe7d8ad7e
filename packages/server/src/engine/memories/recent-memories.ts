import { Problem } from '@memhall/core';
import type { Memory, MemoryFilter } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import type { MemoryKind } from './kinds.js';

/** Returns an agent's memories for the caller's user, one page: latest first by `occurredAt`, then by arrival. */
export async function recentMemories(
  engine: Engine,
  caller: Caller,
  filter: MemoryFilter & { kind: MemoryKind; agentId: string },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Memory>> {
  const partition = { kind: 'user', userId: caller.userId } as const;
  const before = cursor === undefined ? undefined : toPosition(cursor);
  const page = { before, limit: limit + 1, now: engine.clock.now() };
  const rows = await engine.store.read(scopeOf(caller), (tables) => tables.memories.recent(partition, filter, page));
  const { items, nextCursor } = toPage(rows, limit, ({ memory, seq }) => [
    memory.occurredAt.getTime().toString(),
    seq.toString(),
  ]);
  return { items: items.map(({ memory }) => memory), nextCursor };
}

function toPosition(cursor: string): { occurredAt: Date; seq: bigint } {
  const [milliseconds = '', seq = ''] = decodeCursor(cursor, 2, /^-?\d{1,18}$/);
  const occurredAt = new Date(Number(milliseconds));
  if (Number.isNaN(occurredAt.getTime())) {
    throw new Problem('INVALID_REQUEST', 'cursor was not issued by this service: repeat the request without it.');
  }
  return { occurredAt, seq: BigInt(seq) };
}
