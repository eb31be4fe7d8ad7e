import { redact } from '@memhall/core';
import type { Artifact } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { reportBlocked } from '../guard-models.js';
import { readLong } from '../read-long.js';
import { toText } from '../text-lines.js';
import { withholdTask } from '../withhold-entries.js';
import { fileNamespace } from './memory-file-profile.js';
import { type FileRoot, placeOf } from './memory-path.js';

interface MemoryFile {
  text: string;
  etag: string;
}

/** Returns a file as it is stored; undefined if there is none. */
export async function getMemoryFile(tables: Tables, root: FileRoot, name: string): Promise<MemoryFile | undefined> {
  const stored = await findStored(tables, root, name);
  return stored && { text: toText(stored.body.content), etag: stored.etag };
}

export function findStored(tables: Tables, root: FileRoot, name: string): Promise<Artifact<'document'> | undefined> {
  return tables.artifacts.get({ kind: 'document', folder: fileNamespace, name: placeOf(root, name).path });
}

/**
 * Returns lines as a model may read them: without hostile ones and secrets. Files come to be in other ways than through commands, such as
 * a patch of their document. What is withheld is reported to the operator.
 */
export async function showLines(
  engine: Engine,
  caller: Caller,
  id: string,
  lines: readonly string[],
): Promise<readonly string[]> {
  const length = lines.reduce((sum, line) => sum + line.length, 0);
  const task = { content: { lines: [...lines] }, released: [] };
  const { content, withheld, isBlocked } = await readLong(engine, withholdTask, task, length);
  reportBlocked(engine, caller, id, withheld);
  const [first] = withheld;
  if (isBlocked && first !== undefined) return [`[BLOCKED: ${first.category}]`];
  const also = await engine.tenants.alsoRedacted(scopeOf(caller));
  return redact(toText(content), also).text.split('\n');
}
