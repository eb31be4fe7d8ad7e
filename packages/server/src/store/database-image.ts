import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Migration, readMigrations } from './migrations.js';
import { errorCode } from './to-problem.js';

const directory = new URL('../../database/', import.meta.url);

/** Names the file after its migrations, so that an image of others is not used. */
export function imageName(migrations: readonly Migration[]): string {
  const checksums = JSON.stringify(migrations.map(({ checksum }) => checksum));
  return `postgres-${createHash('sha256').update(checksums).digest('hex').slice(0, 16)}.tar.br`;
}

/**
 * Returns the migrated database that the build made, as a tar archive. Opening it takes a fifth of the time that it takes
 * to create and migrate one. Returns undefined if there is none of these migrations.
 */
export async function readDatabaseImage(): Promise<Blob | undefined> {
  const path = new URL(imageName(await readMigrations()), directory);
  try {
    return new Blob([await promisify(brotliDecompress)(await readFile(path))], { type: 'application/x-tar' });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
