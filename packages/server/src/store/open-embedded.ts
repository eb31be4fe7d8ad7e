import { Pool } from 'pg';
import { DirectoryHeld, type Holder, isHeld, readHolder } from './data-directory.js';
import type { DatabaseConnection } from './database.js';
import { type HeldEmbedded, holdEmbedded } from './hold-embedded.js';
import { PgliteStream } from './pglite-stream.js';
import { SharedEmbedded } from './shared-embedded.js';
import { SharedStream } from './shared-stream.js';

interface EmbeddedOptions {
  dataDirectory: string;
  /** Use the database of whatever holds the directory; without it, of a guest only. */
  shareRunning?: boolean;
  onError(error: Error): void;
}

/** PGlite has one backend. For who shares it: another may need that long to open or to shut it. */
const poolOptions = { max: 1, pipeline: true, user: 'postgres', database: 'postgres', ssl: false };
const shareTimeoutMs = 60_000;

/** PostgreSQL inside this process, or inside another that shares it. Throws StartUpError when another process keeps it to itself. */
export async function openEmbedded(options: EmbeddedOptions): Promise<DatabaseConnection> {
  const { dataDirectory, shareRunning = false, onError } = options;
  const own: Holder = shareRunning ? 'guest' : 'server';
  if (shareRunning && (await isHeld(dataDirectory))) return shareHeld(dataDirectory, own, onError);
  try {
    return useHeld(await holdEmbedded(dataDirectory, own), onError);
  } catch (error) {
    // Two that begin at once both find nobody.
    const mayShare = error instanceof DirectoryHeld && (shareRunning || readHolder(dataDirectory) === 'guest');
    if (mayShare) return shareHeld(dataDirectory, own, onError);
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

function shareHeld(dataDirectory: string, own: Holder, onError: (error: Error) => void): DatabaseConnection {
  const shared = new SharedEmbedded(dataDirectory, own);
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
