import { createReadStream, type Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartUpError } from '@memhall/core';
import { ZipFile } from './zip-file.js';

/** A file of an export: on disk, or in an archive. */
export interface ForeignFile {
  /** Path within the export, with `/`. */
  name: string;
  sizeBytes: number;
  modifiedAt: Date;
  read(): AsyncIterable<Buffer>;
}

export interface ForeignFiles {
  kind: 'file' | 'folder' | 'archive';
  /** By name. Folders are read as deep as they go; symbolic links and names that begin with a dot are left out. */
  files: readonly ForeignFile[];
  /** Files that are there but are not read, with why. */
  unfit: readonly { name: string; reason: string }[];
  close(): Promise<void>;
}

const mostFiles = 100_000;
const deepest = 32;
const chunkBytes = 256 * 1024;

/** Opens a file, a folder or a zip archive. Throws StartUpError. */
export async function openForeignFiles(path: string): Promise<ForeignFiles> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) throw new StartUpError(`${path} does not exist.`);
  if (found.isDirectory()) return { kind: 'folder', ...(await readFolder(path)), close: async () => undefined };
  if (!found.isFile()) throw new StartUpError(`${path} is neither a file nor a directory. Name one of them.`);
  if (await isZip(path)) {
    const zip = await ZipFile.open(path);
    return { kind: 'archive', files: zip.entries(found.mtime), unfit: [], close: () => zip.close() };
  }
  return { kind: 'file', files: [toFile(path, basename(path), found)], unfit: [], close: async () => undefined };
}

async function readFolder(root: string): Promise<Pick<ForeignFiles, 'files' | 'unfit'>> {
  const files: ForeignFile[] = [];
  const unfit: { name: string; reason: string }[] = [];
  for await (const { path, found } of walk(root, '', 0)) {
    if (found.isSymbolicLink()) unfit.push({ name: path, reason: 'a symbolic link' });
    else if (found.isFile()) files.push(toFile(join(root, path), path, found));
    if (files.length > mostFiles) throw new StartUpError(`${root} has more than ${mostFiles} files. Import a part.`);
  }
  return { files, unfit };
}

/** Yields what is in a folder and in those in it, in the order of names. */
async function* walk(root: string, folder: string, depth: number): AsyncGenerator<{ path: string; found: Stats }> {
  if (depth > deepest) throw new StartUpError(`${root} has more than ${deepest} levels of folders. Import a part.`);
  const names = (await readdir(join(root, folder))).filter((name) => !name.startsWith('.')).sort();
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`;
    const found = await lstat(join(root, path)).catch(() => undefined);
    if (found?.isDirectory()) yield* walk(root, path, depth + 1);
    else if (found !== undefined) yield { path, found };
  }
}

function toFile(path: string, name: string, { size, mtime }: { size: number; mtime: Date }): ForeignFile {
  const read = () => createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Buffer>;
  return { name, sizeBytes: size, modifiedAt: mtime, read };
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}
