import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants } from 'node:zlib';
import { type Migration, readMigrations } from './migrations.js';
import { errorCode } from './to-problem.js';

/** What is at the front of an image, after its length as a 32-bit number. */
interface ImageHeader {
  /** Parents first. */
  directories: string[];
  /** Equal files have the same place. */
  files: { path: string; start: number; end: number }[];
}

const directory = new URL('../../database/', import.meta.url);
const lengthBytes = 4;
/** Then other work has its turn. */
const filesPerTurn = 50;

/** Names the file after its migrations, so that an image of others is not used. */
export function imageName(migrations: readonly Migration[]): string {
  const checksums = JSON.stringify(migrations.map(({ checksum }) => checksum));
  return `postgres-${createHash('sha256').update(checksums).digest('hex').slice(0, 16)}.image.br`;
}

/** Packs the directory of a database that was shut down. */
export function packImage(database: string): Buffer {
  const header: ImageHeader = { directories: [], files: [] };
  const contents = new Map<string, { start: number; bytes: Buffer }>();
  let end = 0;
  const entries = readdirSync(database, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name).slice(database.length + 1) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { entry, path } of entries) {
    if (entry.isDirectory()) {
      header.directories.push(path);
      continue;
    }
    const bytes = readFileSync(join(database, path));
    const key = createHash('sha256').update(bytes).digest('hex');
    const { start } = contents.get(key) ?? { start: end };
    if (!contents.has(key)) {
      contents.set(key, { start, bytes });
      end += bytes.length;
    }
    header.files.push({ path, start, end: start + bytes.length });
  }
  const front = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(front.length);
  const image = Buffer.concat([length, front, ...[...contents.values()].map(({ bytes }) => bytes)]);
  return brotliCompressSync(image, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: image.length,
    },
  });
}

/**
 * Writes the migrated database that the build made to an empty directory, so that none has to be created and migrated. Returns false if
 * there is none of these migrations.
 */
export async function unpackImage(to: string): Promise<boolean> {
  const image = await readImage();
  if (image === undefined) return false;
  const front = lengthBytes + image.readUInt32LE();
  const { directories, files }: ImageHeader = JSON.parse(image.toString('utf8', lengthBytes, front));
  for (const path of directories) mkdirSync(join(to, path), { mode: 0o700 });
  for (const [index, { path, start, end }] of files.entries()) {
    writeFileSync(join(to, path), image.subarray(front + start, front + end), { mode: 0o600 });
    if (index % filesPerTurn === 0) await nextTurn();
  }
  return true;
}

async function readImage(): Promise<Buffer | undefined> {
  const path = new URL(imageName(await readMigrations()), directory);
  try {
    return await promisify(brotliDecompress)(await readFile(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
