import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartUpError } from '@memhall/core';
import { errorCode } from './to-problem.js';

/** Longest path a Unix socket may have on every system we run on, terminator included: macOS has 104 bytes. */
const maxSocketPathBytes = 100;
const takeoverTimeoutMs = 10_000;

/** libpq's own name for the socket: `psql -h <directory>` finds it. */
const socketName = '.s.PGSQL.5432';
const holderName = 'holder';

/** server: comes back to its directory, which is kept for it. guest: holds it because nobody else did, and others may after it. */
export type Holder = 'server' | 'guest';

/** Another process has the directory open. */
export class DirectoryHeld extends StartUpError {}

/** Directory of the socket through which other processes of this user reach the database that one process has open. */
export function socketDirectory(dataDirectory: string): string {
  const directory = resolve(dataDirectory);
  if (Buffer.byteLength(join(directory, socketName)) <= maxSocketPathBytes) return directory;
  const digest = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  return join(tmpdir(), `memhall-${digest}`);
}

/** Rejects where no process has the data directory open. A socket that nobody answers was left by a killed one. */
export function connectToHolder(dataDirectory: string): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(join(socketDirectory(dataDirectory), socketName));
    // Stays when it is connected: nobody else may be listening yet when it breaks off.
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

/** What holds the directory, or held it last. */
export function readHolder(dataDirectory: string): Holder {
  try {
    return readFileSync(join(socketDirectory(dataDirectory), holderName), 'utf8') === 'guest' ? 'guest' : 'server';
  } catch {
    return 'server';
  }
}

/**
 * Makes the directory this process's own for as long as the returned server listens. The kernel ends that with the
 * process, however it dies, so that nothing stale can lock anybody out. Throws DirectoryHeld.
 */
export async function holdDataDirectory(
  dataDirectory: string,
  holder: Holder,
  onClient: (socket: Socket) => void,
): Promise<Server> {
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(dataDirectory, error);
  }
  const directory = socketDirectory(dataDirectory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, socketName);
  const releaseTurn = await takeTurn(join(directory, 'starting.lock'));
  try {
    if (await isHeld(dataDirectory)) {
      throw new DirectoryHeld(
        `The data directory ${dataDirectory} is in use by another process: stop that one, or choose another directory with --data.`,
      );
    }
    await rm(path, { force: true });
    await writeFile(join(directory, holderName), holder, { mode: 0o600 });
    return await listenPrivately(path, onClient);
  } finally {
    await releaseTurn();
  }
}

function unusable(directory: string, error: unknown): StartUpError {
  const message = `The data directory ${directory} cannot be used (${errorCode(error)}): check its owner and permissions, or choose another with --data.`;
  return new StartUpError(message, { cause: error });
}

/** Two processes that find a stale socket must not both replace it: they take turns by an exclusive file, held for milliseconds. */
async function takeTurn(path: string): Promise<() => Promise<void>> {
  const deadline = Date.now() + takeoverTimeoutMs;
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        throw unusable(dirname(path), error);
      }
    }
    // Whoever took a turn this long ago was killed in the middle of it.
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
  return server;
}
