import { Problem } from '@memhall/core';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

/** More windows than anybody has open. */
const mostOfOneUser = 64;

interface OpenStream {
  server: Server;
  of: string;
}

/** Clients that listen for what changes. Each holds a connection, so nobody has very many. */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();

  /** Ends when the returned function is called. Throws QUOTA_EXCEEDED. */
  add(tenantId: string, userId: string, server: Server): () => void {
    const of = `${tenantId}\n${userId}`;
    if ([...this.#open].filter((stream) => stream.of === of).length >= mostOfOneUser) {
      throw new Problem('QUOTA_EXCEEDED', 'Too many open streams of this user: close some.', { retryAfterSeconds: 60 });
    }
    const stream = { server, of };
    this.#open.add(stream);
    return () => this.#open.delete(stream);
  }

  tellToolsChanged(): void {
    for (const { server } of this.#open) server.sendToolListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(({ server }) => server.close()));
    this.#open.clear();
  }
}
