import type { ArtifactSummary } from '../../ports/artifacts.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

/** Lists the snapshots of a conversation, oldest first, without their content. */
export async function listSnapshots(
  engine: Engine,
  caller: Caller,
  { conversationId, limit, cursor }: { conversationId: string; limit: number; cursor?: string | undefined },
): Promise<Page<ArtifactSummary>> {
  const [last = ''] = cursor === undefined ? [] : decodeCursor(cursor, 1);
  const page = { folder: conversationId, after: [conversationId, last] as const, limit: limit + 1 };
  const rows = await engine.store.read(scopeOf(caller), (tables) => tables.artifacts.list('snapshot', page));
  return toPage(rows, limit, ({ name }) => [name]);
}
