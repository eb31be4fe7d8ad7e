import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartUpError } from '@memhall/core';
import { errorCode } from './to-problem.js';

/** Longest path of a Unix socket on every supported system, including the terminator: macOS allows 104 bytes. */
const maxSocketPathBytes = 100;
const takeoverTimeoutMs = 10_000;

/** The name libpq uses for the socket, so `psql -h <directory>` finds it. */
const socketName = '.s.PGSQL.5432';
const holderName = 'holder';

/**
 * `server`: returns to its directory, which stays reserved for it. `guest`: holds the directory only because no other
 * process did; others may take it over.
 */
export type Holder = 'server' | 'guest';

/** Thrown if another process has the directory open. */
export class DirectoryHeld extends StartUpError {}

/**
 * Returns the directory of the socket through which other processes of this user reach the database that one process
 * has open.
 */
function socketDirectory(dataDirectory: string): string {
  const directory = resolve(dataDirectory);
  if (Buffer.byteLength(join(directory, socketName)) <= maxSocketPathBytes) return directory;
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(tmpdir(), `memhall-${digest}`);
}

/** Rejects if no process has the data directory open. A socket on which nobody listens was left by a killed process. */
export function connectToHolder(dataDirectory: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(join(socketDirectory(dataDirectory), socketName));
    // The listener stays after connecting: there may be no other one yet when the connection breaks.
    socket.on('error', fail).once('connect', () => done(socket));
  });
}

export function isHeld(dataDirectory: string): Promise<boolean> {
  return connectToHolder(dataDirectory).then(
    (socket) => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}

/** Returns the kind of process that holds the directory or held it last. */
export function readHolder(dataDirectory: string): Holder {
  try {
    return readFileSync(join(socketDirectory(dataDirectory), holderName), 'utf8') === 'guest' ? 'guest' : 'server';
  } catch {
    return 'server';
  }
}

/**
 * Holds the directory for this process while the returned server listens. The kernel ends that with the process,
 * however it dies, so a stale lock cannot shut anyone out. Throws DirectoryHeld.
 */
export async function holdDataDirectory(
  dataDirectory: string,
  holder: Holder,
  onClient: (socket: Socket) => void,
): Promise<Server> {
  try {
    return await holdAlone(dataDirectory, holder, onClient);
  } catch (error) {
    throw error instanceof StartUpError ? error : unusable(dataDirectory, error);
  }
}

async function holdAlone(dataDirectory: string, holder: Holder, onClient: (socket: Socket) => void): Promise<Server> {
  const directory = socketDirectory(dataDirectory);
  for (const needed of [dataDirectory, directory]) await mkdir(needed, { recursive: true, mode: 0o700 });
  const path = join(directory, socketName);
  const releaseTurn = await takeTurn(join(directory, 'starting.lock'));
  try {
    if (await isHeld(dataDirectory)) {
      throw new DirectoryHeld(
        `The data directory ${dataDirectory} is in use by another process: stop it, or choose another directory (--data, or dataDirectory in the library).`,
      );
    }
    await rm(path, { force: true });
    await writeFile(join(directory, holderName), holder, { mode: 0o600 });
    return await listenPrivately(path, onClient);
  } finally {
    await releaseTurn();
  }
}

/** @param directory what cannot be read or written: the data directory, or a part of it */
export function unusable(directory: string, error: unknown): StartUpError {
  const message = `The data directory ${directory} cannot be used (${errorCode(error) || 'it cannot be written'}): check its owner and permissions, or choose another with --data.`;
  return new StartUpError(message, { cause: error });
}

/**
 * Serializes processes that find a stale socket, so that only one replaces it. Uses an exclusive file that exists for
 * milliseconds.
 */
async function takeTurn(path: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + takeoverTimeoutMs;
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    // The file is this old only if its creator was killed while holding it.
    if (Date.now() > deadline) await rm(path, { force: true });
    await sleep(25);
  }
}

async function listenPrivately(path: string, onClient: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: false }, onClient);
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(path, () => done());
    });
  } finally {
    process.umask(mask);
  }
  // The holder has other reasons to stay alive, or should end.
  return server.unref();
}
