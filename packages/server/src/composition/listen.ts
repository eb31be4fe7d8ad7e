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
      EADDRINUSE: 'is taken',
      EACCES: 'needs more rights',
      EADDRNOTAVAIL: 'is not an address of this machine',
    }[code];
    throw new StartUpError(`${host}:${port} ${reason}: choose another with ${flag} (0 picks a free one).`, {
      cause: error,
    });
  }
}

/** On a Unix socket that only this user may use. A socket that nobody answers was left by a killed process. */
export async function listenOnSocket(app: FastifyInstance, socketPath: string): Promise<string> {
  const path = resolve(socketPath);
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && !found.isSocket()) {
    throw new StartUpError(`${path} is there and is no socket: choose another path with --plugin-socket.`);
  }
  if (found !== undefined && (await isAnswered(path))) {
    throw new StartUpError(`Another process listens on ${path}: choose another path with --plugin-socket.`);
  }
  if (found !== undefined) await rm(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await app.listen({ path });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartUpError(`${path} cannot be listened on (${code}): choose another path with --plugin-socket.`, {
      cause: error,
    });
  } finally {
    process.umask(mask);
  }
  return `unix:${path}`;
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
