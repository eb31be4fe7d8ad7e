import { Pool } from 'pg';
import { DirectoryHeld, isHeld } from './data-directory.js';
import type { DatabaseConnection } from './database.js';
import { type HeldEmbedded, holdEmbedded } from './hold-embedded.js';
import { PgliteStream } from './pglite-stream.js';
import { SharedEmbedded } from './shared-embedded.js';
import { SharedStream } from './shared-stream.js';

export interface EmbeddedOptions {
  dataDirectory: string;
  /** Use the database of the process that holds the directory, if one does, instead of failing. */
  shareRunning?: boolean;
  onError(error: Error): void;
}

/** PGlite has one backend. For who shares it: another may need that long to open or to shut it. */
const poolOptions = { max: 1, pipeline: true, user: 'postgres', database: 'postgres', ssl: false };
const shareTimeoutMs = 60_000;

/** PostgreSQL inside this process, or inside another that shares it. Throws StartUpError when another process has it. */
export async function openEmbedded(options: EmbeddedOptions): Promise<DatabaseConnection> {
  const { dataDirectory, shareRunning = false, onError } = options;
  if (!shareRunning) return useHeld(await holdEmbedded(dataDirectory, 'server'), onError);
  if (await isHeld(dataDirectory)) return shareHeld(dataDirectory, onError);
  try {
    return useHeld(await holdEmbedded(dataDirectory, 'guest'), onError);
  } catch (error) {
    // Two that begin at once both find nobody.
    if (error instanceof DirectoryHeld) return shareHeld(dataDirectory, onError);
    throw error;
  }
}

function useHeld(held: HeldEmbedded, onError: (error: Error) => void): DatabaseConnection {
  const stream = () => new PgliteStream(held.gate.openSession());
  const pool = watch(new Pool({ ...poolOptions, idleTimeoutMillis: 0, stream }), onError);
  // The backend outlives a session: statements that a former one prepared are still there under their names.
  pool.on('connect', (client) => void client.query('DEALLOCATE ALL').catch(onError));
  const close = async () => {
    await pool.end();
    await held.close();
  };
  return { kind: 'embedded', pool, prepares: true, alone: true, close };
}

function shareHeld(dataDirectory: string, onError: (error: Error) => void): DatabaseConnection {
  const shared = new SharedEmbedded(dataDirectory);
  const stream = () => new SharedStream(shared, shareTimeoutMs);
  const pool = watch(new Pool({ ...poolOptions, connectionTimeoutMillis: shareTimeoutMs, stream }), onError);
  const close = async () => {
    await pool.end();
    await shared.close();
  };
  return { kind: 'embedded', pool, prepares: false, alone: false, close };
}

function watch(pool: Pool, onError: (error: Error) => void): Pool {
  return pool.on('error', onError).on('connect', (client) => client.on('error', onError));
}
