import { Pool } from 'pg';
import { DirectoryHeld, type Holder, isHeld, readHolder } from './data-directory.js';
import type { DatabaseConnection } from './database.js';
import { type HeldEmbedded, holdEmbedded } from './hold-embedded.js';
import { PgliteStream } from './pglite-stream.js';
import { SharedEmbedded } from './shared-embedded.js';
import { SharedStream } from './shared-stream.js';

interface EmbeddedOptions {
  dataDirectory: string;
  /** Use the database of any process that holds the directory; otherwise only that of a guest. */
  shareRunning?: boolean;
  onError(error: Error): void;
}

/**
 * PGlite has one backend. The timeout is for clients that share it: another process may take that long to open it or
 * shut it down.
 */
const poolOptions = { max: 1, pipeline: true, user: 'postgres', database: 'postgres', ssl: false };
const shareTimeoutMs = 60_000;

/**
 * Opens PostgreSQL inside this process, or connects to another process that shares it. Throws StartUpError if another
 * process does not share it.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<DatabaseConnection> {
  const { dataDirectory, shareRunning = false, onError } = options;
  const own: Holder = shareRunning ? 'guest' : 'server';
  if (shareRunning && (await isHeld(dataDirectory))) return shareHeld(dataDirectory, own, onError);
  try {
    return useHeld(await holdEmbedded(dataDirectory, own), onError);
  } catch (error) {
    // Another process that started at the same time may have taken the directory after `isHeld` returned false.
    const mayShare = error instanceof DirectoryHeld && (shareRunning || readHolder(dataDirectory) === 'guest');
    if (mayShare) return shareHeld(dataDirectory, own, onError);
    throw error;
  }
}

function useHeld(held: HeldEmbedded, onError: (error: Error) => void): DatabaseConnection {
  const stream = () => new PgliteStream(held.gate.openSession());
  const pool = watch(new Pool({ ...poolOptions, idleTimeoutMillis: 0, stream }), onError);
  // The backend outlives a session: statements that an earlier session prepared still exist under their names.
  pool.on('connect', (client) => void client.query('DEALLOCATE ALL').catch(onError));
  const close = async () => {
    await pool.end();
    await held.close();
  };
  return {
    kind: 'embedded',
    pool,
    sessions: pool,
    prepares: true,
    limits: {},
    isDistributed: false,
    responseMs: undefined,
    alone: true,
    close,
  };
}

function shareHeld(dataDirectory: string, own: Holder, onError: (error: Error) => void): DatabaseConnection {
  const shared = new SharedEmbedded(dataDirectory, own);
  const stream = () => new SharedStream(shared, shareTimeoutMs);
  const pool = watch(new Pool({ ...poolOptions, connectionTimeoutMillis: shareTimeoutMs, stream }), onError);
  const close = async () => {
    await pool.end();
    await shared.close();
  };
  return {
    kind: 'embedded',
    pool,
    sessions: pool,
    prepares: false,
    limits: {},
    isDistributed: false,
    responseMs: undefined,
    alone: false,
    close,
  };
}

function watch(pool: Pool, onError: (error: Error) => void): Pool {
  return pool.on('error', onError).on('connect', (client) => client.on('error', onError));
}
