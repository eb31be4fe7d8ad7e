import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'memhall-upload-';
/** No request takes that long. */
const abandonedAfterMs = 3_600_000;

/** For one request; its owner alone can read it. */
export function makeUploadDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), prefix));
}

/** Removes what processes that ended abruptly left of uploads: nobody who is forgotten may be left in there. */
export async function removeAbandonedUploads(now = Date.now()): Promise<void> {
  const names = await readdir(tmpdir());
  for (const path of names.filter((name) => name.startsWith(prefix)).map((name) => join(tmpdir(), name))) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || now - found.mtimeMs < abandonedAfterMs) continue;
    // Of another user of this machine, it is not ours to remove.
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
