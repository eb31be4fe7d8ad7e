import { lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { StartUpError } from '@memhall/core';
import type { FastifyInstance } from 'fastify';

export async function listen(app: FastifyInstance, host: string, port: number, flag: string): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error;
    const reason = {
      EADDRINUSE: 'is already in use',
      EACCES: 'cannot be opened without more privileges',
      EADDRNOTAVAIL: 'is not an address of this machine',
    }[code];
    throw new StartUpError(`${host}:${port} ${reason}. Choose another port with ${flag} (0 picks a free port).`, {
      cause: error,
    });
  }
}

/**
 * Listens on a Unix socket that only this OS user can open. Replaces a socket file that no process listens on, which a
 * killed process left behind.
 */
export async function listenOnSocket(app: FastifyInstance, socketPath: string): Promise<string> {
  const path = resolve(socketPath);
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isSocket()) {
    throw new StartUpError(`${path} exists and is not a socket. Choose another path with --plugin-socket.`);
  }
  if (found !== undefined && (await hasListener(path))) {
    throw new StartUpError(`Another process is listening on ${path}. Choose another path with --plugin-socket.`);
  }
  if (found !== undefined) await rm(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await app.listen({ path });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartUpError(`Cannot listen on ${path} (${code}). Choose another path with --plugin-socket.`, {
      cause: error,
    });
  } finally {
    process.umask(mask);
  }
  return `unix:${path}`;
}

function hasListener(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
