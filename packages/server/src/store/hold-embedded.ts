import { constants, existsSync } from 'node:fs';
import { access, mkdtemp, rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { StartUpError } from '@memhall/core';
import { type Holder, holdDataDirectory, unusable } from './data-directory.js';
import { unpackImage } from './database-image.js';
import { PgliteGate } from './pglite-gate.js';
import { WireFramer } from './wire-framer.js';

export interface HeldEmbedded {
  gate: PgliteGate;
  /** Shuts down the database before other processes can take the directory. */
  close(): Promise<void>;
}

const terminate = 0x58;

/** The timer that reports the progress of a slow start is never stopped, and would keep the process alive. */
const withoutProgressTimer = ['-c', 'log_startup_progress_interval=0'];

/** Instead of 128 MB, all of which stays resident. Recall reads columns from its own cache, so pages are rarely read again. */
const smallBuffers = ['-c', 'shared_buffers=32MB'];

/**
 * Runs PostgreSQL inside this process, in `<dataDirectory>/postgres`, and serves other processes through the
 * directory's socket. Clients that connect before it is open, or while it is shutting down, are disconnected at once.
 * Throws DirectoryHeld or StartUpError.
 */
export async function holdEmbedded(dataDirectory: string, holder: Holder): Promise<HeldEmbedded> {
  const clients = new Set<Socket>();
  let gate: PgliteGate | undefined;
  const server = await holdDataDirectory(dataDirectory, holder, (socket) => {
    if (gate === undefined) {
      socket.destroy();
      return;
    }
    clients.add(socket.unref());
    socket.once('close', () => clients.delete(socket));
    void serveClient(gate, socket).catch(() => socket.destroy());
  });
  try {
    const pglite = await openPglite(join(dataDirectory, 'postgres'));
    const opened = new PgliteGate(pglite);
    gate = opened;
    return {
      gate: opened,
      async close() {
        gate = undefined;
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

const startParams = [...PGlite.defaultStartParams, ...withoutProgressTimer, ...smallBuffers];
const options = { extensions: { vector }, startParams };

async function openPglite(directory: string): Promise<PGlite> {
  try {
    await createIfMissing(directory);
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(directory, error);
  }
  try {
    return await PGlite.create({ dataDir: directory, ...options });
  } catch (error) {
    const message = `The embedded database in ${directory} cannot be opened: it may be damaged, or created by a newer version.`;
    throw new StartUpError(message, { cause: error });
  }
}

/**
 * A new database is created under another name and then moved into place: a process that is killed halfway leaves
 * nothing that looks like a database.
 */
async function createIfMissing(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const draft = await mkdtemp(`${directory}.new-`);
  try {
    if (!(await unpackImage(draft))) await (await PGlite.create({ dataDir: draft, ...options })).close();
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
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
