import type { ArtifactSummary } from '../../ports/artifacts.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';

/** Lists the user's documents by namespace and path, without their content. */
export async function listDocuments(
  engine: Engine,
  caller: Caller,
  input: { namespace?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Page<ArtifactSummary>> {
  const after = input.cursor === undefined ? undefined : (decodeCursor(input.cursor, 2) as [string, string]);
  const page = { folder: input.namespace, limit: input.limit + 1, ...(after === undefined ? {} : { after }) };
  const rows = await engine.store.read(scopeOf(caller), (tables) => tables.artifacts.list('document', page));
  return toPage(rows, input.limit, ({ folder, name }) => [folder, name]);
}
