import type { Duplex } from 'node:stream';
import { connectToHolder, DirectoryHeld, type Holder, readHolder } from './data-directory.js';
import { type HeldEmbedded, holdEmbedded } from './hold-embedded.js';
import { PgliteStream } from './pglite-stream.js';

/**
 * The embedded database of a directory that another process holds. When a guest that held it is gone, this process holds it
 * itself, so that those who are left go on; the place of a server is left to the server.
 */
export class SharedEmbedded {
  readonly #dataDirectory: string;
  #joined: Holder | undefined;
  #held: HeldEmbedded | undefined;

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
  }

  /** A way to the database; undefined: somebody else was faster, try again. Rejects when the server is gone. */
  async connect(): Promise<Duplex | undefined> {
    if (this.#held !== undefined) return new PgliteStream(this.#held.gate.openSession());
    try {
      const socket = await connectToHolder(this.#dataDirectory);
      // Without waiting: whoever gets the socket must not miss its end.
      this.#joined = readHolder(this.#dataDirectory);
      return socket;
    } catch (error) {
      if (this.#joined === 'server') throw error;
    }
    try {
      this.#held = await holdEmbedded(this.#dataDirectory, 'guest');
    } catch (error) {
      if (!(error instanceof DirectoryHeld)) throw error;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#held?.close();
  }
}
