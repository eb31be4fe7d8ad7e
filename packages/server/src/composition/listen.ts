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
