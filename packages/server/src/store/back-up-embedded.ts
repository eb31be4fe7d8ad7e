import { cp, lstat, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { Pool } from 'pg';
import { errorCode } from './to-problem.js';

const syncedAtOnce = 64;

interface BackupOptions {
  dataDirectory: string;
  /** Directory to create. It must not exist. */
  target: string;
  /** Names of the secrets in the data directory to copy as well. */
  secrets: readonly string[];
}

export interface BackupReport {
  files: number;
  bytes: number;
  /** How long requests to the database had to wait. */
  pausedMs: number;
}

/**
 * Copies an embedded database to a directory that can be used as a data directory. An open transaction keeps everyone else from
 * the database meanwhile, so the files do not change. The directory appears when it is complete and on disk. Throws StartUpError if it
 * exists or cannot be written.
 */
export async function backUpEmbedded(
  pool: Pool,
  { dataDirectory, target, secrets }: BackupOptions,
): Promise<BackupReport> {
  const draft = await createDraft(resolve(target));
  try {
    const pausedMs = await copyDatabase(pool, join(dataDirectory, 'postgres'), join(draft, 'postgres'));
    for (const name of secrets) await cp(join(dataDirectory, name), join(draft, name), { preserveTimestamps: true });
    const written = await syncAll(draft);
    await rename(draft, target);
    await sync(dirname(resolve(target)));
    return { ...written, pausedMs };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function createDraft(target: string): Promise<string> {
  if ((await lstat(target).catch(() => undefined)) !== undefined) {
    throw new StartUpError(`${target} already exists: choose a directory that does not.`);
  }
  try {
    await mkdir(dirname(target), { recursive: true });
    return await mkdtemp(`${target}.new-`);
  } catch (error) {
    throw new StartUpError(`A backup cannot be written to ${target} (${errorCode(error)}): check the permissions.`, {
      cause: error,
    });
  }
}

/** Returns how long the database was kept from others. */
async function copyDatabase(pool: Pool, from: string, to: string): Promise<number> {
  const client = await pool.connect();
  const start = performance.now();
  try {
    await client.query('BEGIN');
    await client.query('CHECKPOINT');
    await cp(from, to, { recursive: true, preserveTimestamps: true });
    // Fails if the process that has the database open ended meanwhile: the copy may then mix two states.
    await client.query('SELECT 1');
    return performance.now() - start;
  } finally {
    client.release(true);
  }
}

/** Waits until all files are on disk. */
async function syncAll(directory: string): Promise<{ files: number; bytes: number }> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes: number[] = [];
  for (let start = 0; start < entries.length; start += syncedAtOnce) {
    const some = entries.slice(start, start + syncedAtOnce).map(async (entry) => {
      const size = await sync(join(entry.parentPath, entry.name));
      if (entry.isFile()) sizes.push(size);
    });
    await Promise.all(some);
  }
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Returns the size. */
async function sync(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
