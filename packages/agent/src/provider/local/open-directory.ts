import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../files/write-file-atomically.js';
import { ProviderUnavailable } from '../provider-errors.js';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** A directory that is certainly not behind a symbolic link. Names are resolved in it, wherever its path leads by now. */
export interface OpenDirectory {
  /** Of a single name in the directory. */
  pathOf(name: string): string;
  close(): Promise<void>;
}

/** Opens one; undefined when it is not there. Only its last component is checked: open the parents first. */
export async function openDirectory(path: string): Promise<OpenDirectory | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP' || code === 'ENOTDIR') throw refuseLink();
    throw error;
  }
  // Linux resolves this in the directory that is open, not in whatever has its path later; elsewhere the path has to do.
  const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  return { pathOf: (name) => join(base, name), close: () => handle.close() };
}

/** Opens one, and makes it for the owner alone when it is not there. */
export async function makeDirectory(parent: OpenDirectory, name: string): Promise<OpenDirectory> {
  const path = parent.pathOf(name);
  const there = await openDirectory(path);
  if (there !== undefined) return there;
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncDirectory(parent.pathOf('.'));
  const made = await openDirectory(path);
  if (made === undefined) throw new ProviderUnavailable('A directory of the memory went away while it was used.');
  return made;
}

export function refuseLink(): ProviderUnavailable {
  return new ProviderUnavailable(
    'The memory has a symbolic link, or something else than a file, where a file should be.',
  );
}
