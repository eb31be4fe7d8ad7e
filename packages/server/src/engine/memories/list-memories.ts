import type { Memory, MemoryFilter } from '../../ports/memories.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { checkLimit, toFilter } from './memory-query.js';
import { type MemoryScope, partitionsOf } from './scope-partitions.js';

/** Lists memories, newest first by arrival. */
export async function listMemories(
  engine: Engine,
  caller: Caller,
  input: { scope: MemoryScope; filter?: MemoryFilter; limit: number; cursor?: string | undefined },
): Promise<Page<Memory>> {
  checkLimit(input.limit);
  const filter = toFilter(input.filter);
  const before = input.cursor === undefined ? undefined : toSeq(input.cursor);
  const page = { before, limit: input.limit + 1, now: engine.clock.now() };
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.memories.list(partitionsOf(caller, input.scope), filter, page),
  );
  const { items, nextCursor } = toPage(rows, input.limit, ({ seq }) => [seq.toString()]);
  return { items: items.map(({ memory }) => memory), nextCursor };
}

function toSeq(cursor: string): bigint {
  const [position = ''] = decodeCursor(cursor, 1, /^\d{1,18}$/);
  return BigInt(position);
}
