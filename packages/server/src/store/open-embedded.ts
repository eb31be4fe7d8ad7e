import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { StartUpError } from '@memhall/core';
import { Pool } from 'pg';
import { holdDataDirectory, isHeld, socketDirectory } from './data-directory.js';
import type { DatabaseConnection } from './database.js';
import { PgliteGate } from './pglite-gate.js';
import { PgliteStream } from './pglite-stream.js';
import { WireFramer } from './wire-framer.js';

export interface EmbeddedOptions {
  dataDirectory: string;
  /** Use the database of the process that holds the directory, if one does, instead of failing. */
  shareRunning?: boolean;
  onError(error: Error): void;
}

const terminate = 0x58;

/** PostgreSQL inside this process, in `<dataDirectory>/postgres`. Throws StartUpError when another process has it. */
export async function openEmbedded(options: EmbeddedOptions): Promise<DatabaseConnection> {
  if (options.shareRunning && (await isHeld(options.dataDirectory))) return joinRunning(options);
  const clients = new Set<Socket>();
  let gate: PgliteGate | undefined;
  const server = await holdDataDirectory(options.dataDirectory, (socket) => {
    if (gate === undefined) {
      socket.destroy();
      return;
    }
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    void serveClient(gate, socket).catch(() => socket.destroy());
  });
  try {
    const pglite = await openPglite(join(options.dataDirectory, 'postgres'));
    gate = new PgliteGate(pglite);
    const pool = openPool(gate, options.onError);
    return {
      kind: 'embedded',
      pool,
      prepares: true,
      alone: true,
      async close() {
        await pool.end();
        for (const socket of clients) socket.destroy();
        await pglite.close();
        await new Promise<void>((done) => server.close(() => done()));
      },
    };
  } catch (error) {
    server.close();
    throw error;
  }
}

/** One connection: PGlite has one backend. */
function openPool(gate: PgliteGate, onError: (error: Error) => void): Pool {
  const pool = new Pool({
    max: 1,
    pipeline: true,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    idleTimeoutMillis: 0,
    stream: () => new PgliteStream(gate.openSession()),
  });
  pool.on('connect', (client) => {
    client.on('error', onError);
    // The backend outlives a session: statements that a former one prepared are still there under their names.
    void client.query('DEALLOCATE ALL').catch(onError);
  });
  pool.on('error', onError);
  return pool;
}

function joinRunning(options: EmbeddedOptions): DatabaseConnection {
  const pool = new Pool({
    host: socketDirectory(options.dataDirectory),
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    pipeline: true,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', options.onError);
  pool.on('connect', (client) => client.on('error', options.onError));
  return { kind: 'embedded', pool, prepares: false, alone: false, close: () => pool.end() };
}

/** A fresh database is made aside and moved into place: a process killed half-way leaves nothing that looks like one. */
async function openPglite(directory: string): Promise<PGlite> {
  const extensions = { vector };
  const exists = await stat(directory).then(
    () => true,
    () => false,
  );
  if (!exists) {
    const draft = await mkdtemp(`${directory}.new-`);
    const pglite = await PGlite.create({ dataDir: draft, extensions });
    await pglite.close();
    await rename(draft, directory).catch(async (error) => {
      await rm(draft, { recursive: true, force: true });
      throw error;
    });
  }
  try {
    return await PGlite.create({ dataDir: directory, extensions });
  } catch (error) {
    throw new StartUpError(
      `The embedded database in ${directory} cannot be opened: it may be damaged, or made by a newer version.`,
      {
        cause: error,
      },
    );
  }
}

async function serveClient(gate: PgliteGate, socket: Socket): Promise<void> {
  const session = gate.openSession();
  const framer = new WireFramer();
  try {
    for await (const chunk of socket) {
      const messages = framer.push(chunk as Buffer);
      const ending = messages.findIndex((message) => message[0] === terminate);
      const wanted = ending === -1 ? messages : messages.slice(0, ending);
      if (wanted.length > 0) socket.write(await session.execute(Buffer.concat(wanted)));
      if (ending !== -1) return;
    }
  } finally {
    await session.end();
    socket.destroy();
  }
}
