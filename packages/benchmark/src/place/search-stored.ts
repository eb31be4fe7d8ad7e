import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { searchDatabase } from './search-database.js';
import { isSqlite, searchSqlite } from './search-sqlite.js';

export interface StoredText {
  word: string;
  /** A table or a file. */
  place: string;
}

export interface Stored {
  directory: string;
  databaseUrl: string | undefined;
  /** Directories in a format that only the system can read. */
  opaque: readonly string[];
}

/** Searches rows of tables, and files that are not databases. What was deleted from a database but not overwritten is not found. */
export async function searchRows(
  { directory, databaseUrl, opaque }: Stored,
  words: readonly string[],
): Promise<StoredText[]> {
  const found = databaseUrl === undefined ? [] : await searchDatabase(databaseUrl, words);
  for (const path of await filesBelow(directory)) {
    const name = relative(directory, path);
    if (opaque.some((one) => name.startsWith(`${one}/`)) || /-(wal|shm|journal)$/.test(name)) continue;
    const search = (await isSqlite(path)) ? searchSqlite : searchBytes;
    found.push(...(await search(path, words)).map(({ word, place }) => ({ word, place: place.replace(path, name) })));
  }
  return found;
}

/** Searches every byte of every file. */
export async function searchFiles(directories: readonly string[], words: readonly string[]): Promise<StoredText[]> {
  const found: StoredText[] = [];
  for (const directory of directories) {
    for (const path of await filesBelow(directory)) {
      const inFile = await searchBytes(path, words);
      found.push(...inFile.map(({ word }) => ({ word, place: relative(directory, path) })));
    }
  }
  return found;
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** As UTF-8, and as the hexadecimal and base64 forms that some stores write it in. */
async function searchBytes(path: string, words: readonly string[]): Promise<StoredText[]> {
  const patterns = words.flatMap((word) => formsOf(word).map((bytes) => ({ word, bytes })));
  const longest = Math.max(...patterns.map(({ bytes }) => bytes.length));
  const found = new Set<string>();
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const data = Buffer.concat([rest, chunk as Buffer]);
      for (const { word, bytes } of patterns) if (data.includes(bytes)) found.add(word);
      rest = data.subarray(-longest);
    }
  } catch (error) {
    // A file may be removed while its directory is read.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return [...found].map((word) => ({ word, place: path }));
}

export function formsOf(word: string): Buffer[] {
  const bytes = Buffer.from(word);
  // In base64, the characters of a text depend on where it begins, and the outermost ones on its neighbours.
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  return [word, bytes.toString('hex'), ...base64].map((form) => Buffer.from(form));
}
