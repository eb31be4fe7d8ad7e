import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from './write-file-atomically.js';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/** A directory cannot be used safely. The message contains no path. */
export class DirectoryFault extends Error {
  override readonly name = 'DirectoryFault';
}

/**
 * A directory that is certainly not a symbolic link. Names are resolved in it, even if its path now leads elsewhere.
 */
export interface OpenDirectory {
  /** Returns the path of a single name in the directory. */
  pathOf(name: string): string;
  close(): Promise<void>;
}

/**
 * Opens a directory. Returns undefined if it is missing. Only the last component is checked: open the parents first.
 */
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
  // Linux resolves this path in the open directory, even if the directory is replaced later. Other systems use the
  // path.
  const base = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  return { pathOf: (name) => join(base, name), close: () => handle.close() };
}

/** Opens a directory. If it is missing, creates it with access for the owner only. */
export async function makeDirectory(parent: OpenDirectory, name: string): Promise<OpenDirectory> {
  const path = parent.pathOf(name);
  const there = await openDirectory(path);
  if (there !== undefined) return there;
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await syncDirectory(parent.pathOf('.'));
  const made = await openDirectory(path);
  if (made === undefined) throw new DirectoryFault('A memory directory was removed while it was in use.');
  return made;
}

export function refuseLink(): DirectoryFault {
  return new DirectoryFault(
    'The memory contains a symbolic link or another special file where a file or directory should be.',
  );
}
