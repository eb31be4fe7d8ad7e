import type { Conversation } from '../../ports/conversations.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryKind } from '../memories/kinds.js';
import { decodeCursor, type Page, toPage } from '../page.js';

/** Kinds of memories that are what somebody said, and not what was made from it. */
export const turnKinds: readonly string[] = ['episodic', 'note'] satisfies MemoryKind[];

/** Lists the conversations of the caller's user, the one that was active last first. */
export async function listConversations(
  engine: Engine,
  caller: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Conversation>> {
  const [lastAt = '', conversationId = ''] = cursor === undefined ? [] : decodeCursor(cursor, 2);
  const after = cursor === undefined ? undefined : { lastAt: toDate(lastAt), conversationId };
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.conversations.list({ turnKinds, after, limit: limit + 1, now: engine.clock.now() }),
  );
  return toPage(rows, limit, (last) => [last.lastAt.toISOString(), last.conversationId]);
}

function toDate(text: string): Date {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}
