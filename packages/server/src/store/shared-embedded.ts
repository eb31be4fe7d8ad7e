import type { Duplex } from 'node:stream';
import { connectToHolder, DirectoryHeld, type Holder, readHolder } from './data-directory.js';
import { type HeldEmbedded, holdEmbedded } from './hold-embedded.js';
import { PgliteStream } from './pglite-stream.js';

/**
 * The embedded database of a directory that another process holds. When a guest that held it is gone, this process holds it
 * itself, so that those who are left go on; guests leave the place of a server to the server.
 */
export class SharedEmbedded {
  readonly #dataDirectory: string;
  readonly #own: Holder;
  #joined: Holder | undefined;
  #held: HeldEmbedded | undefined;

  /** `own` is what this process holds the directory as, once it does. */
  constructor(dataDirectory: string, own: Holder) {
    this.#dataDirectory = dataDirectory;
    this.#own = own;
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
      if (this.#own === 'guest' && this.#joined === 'server') throw error;
    }
    try {
      this.#held = await holdEmbedded(this.#dataDirectory, this.#own);
    } catch (error) {
      if (!(error instanceof DirectoryHeld)) throw error;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await this.#held?.close();
  }
}
