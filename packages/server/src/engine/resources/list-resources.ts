import type { Resource, ResourceFilter } from '../../ports/resources.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';

/** Lists the user's resources, newest first. */
export async function listResources(
  engine: Engine,
  caller: Caller,
  { filter, limit, cursor }: { filter: ResourceFilter; limit: number; cursor: string | undefined },
): Promise<Page<Resource>> {
  const before = decodeTimeCursor(cursor);
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.resources.list(filter, { before, limit: limit + 1 }),
  );
  return toPage(rows, limit, ({ createdAt, resourceId }) => timePosition(createdAt, resourceId));
}

/** Returns undefined if the user has no resource with this id. */
export function getResource(engine: Engine, caller: Caller, resourceId: string): Promise<Resource | undefined> {
  return engine.store.read(scopeOf(caller), (tables) => tables.resources.get(resourceId));
}
