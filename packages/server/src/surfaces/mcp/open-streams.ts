import { Problem } from '@memhall/core';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** More streams than any user needs. */
const maxPerUser = 64;

interface OpenStream {
  server: Server;
  of: string;
}

/** Event streams of clients that listen for changes. Each holds a connection, so their number per user is limited. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();

  /** Adds a stream and returns a function that removes it. Throws QUOTA_EXCEEDED if the user has too many. */
  add(tenantId: string, userId: string, server: Server): () => void {
    const of = `${tenantId}\n${userId}`;
    if ([...this.#open].filter((stream) => stream.of === of).length >= maxPerUser) {
      throw new Problem('QUOTA_EXCEEDED', 'This user has too many open streams. Close some of them.', {
        retryAfterSeconds: 60,
      });
    }
    const stream = { server, of };
    this.#open.add(stream);
    return () => this.#open.delete(stream);
  }

  notifyToolsChanged(): void {
    for (const { server } of this.#open) server.sendToolListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(({ server }) => server.close()));
    this.#open.clear();
  }
}
