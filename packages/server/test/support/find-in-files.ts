import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDatabase } from './databases.js';
import { pastEverything } from './past-everything.js';

/**
 * Returns the files that contain a text, among all files that a database has: those of the embedded data directory, or those of the
 * PostgreSQL cluster without its other databases.
 */
export async function findInFiles(database: TestDatabase, text: string): Promise<string[]> {
  if (database.kind === 'embedded') {
    return search(database.config().dataDirectory, text, (path) => path.endsWith('/models'));
  }
  const [row] = await pastEverything<{ directory: string; id: string }>(
    database,
    `SELECT current_setting('data_directory') AS directory, oid::text AS id FROM pg_database WHERE datname = current_database()`,
  );
  const own = `/base/${row?.id}`;
  return search(row?.directory ?? '', text, (path) => /\/base\/\d+$/.test(path) && !path.endsWith(own));
}

function search(directory: string, text: string, isLeftOut: (path: string) => boolean): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (isLeftOut(path)) continue;
    if (entry.isDirectory()) found.push(...search(path, text, isLeftOut));
    else if (entry.isFile() && contains(path, text)) found.push(path);
  }
  return found;
}

/** A running server may remove files at any time. */
function contains(path: string, text: string): boolean {
  try {
    return readFileSync(path).includes(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
