import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkNewName, directory, type FileRoot, toMemoryPath } from './memory-path.js';
import { type WrittenFile, writeMemoryFile } from './write-memory-file.js';

/**
 * Stores the whole text of a file; `etag` is that of the state it was made from, null if there was none. Throws Refusal, CONTENT_BLOCKED, or
 * ETAG_MISMATCH if the file has another state.
 */
export function putMemoryFile(
  engine: Engine,
  caller: Caller,
  root: FileRoot,
  { name, text, etag }: { name: string; text: string; etag: string | null },
): Promise<WrittenFile> {
  const path = toMemoryPath(`${directory}/${name}`);
  if (etag === null) checkNewName(path);
  const precondition = etag === null ? ({ kind: 'absent' } as const) : ({ kind: 'one-of', etags: [etag] } as const);
  return writeMemoryFile(engine, caller, root, path, { precondition, edit: () => text });
}
