import type { Duplex } from 'node:stream';
import { connectToHolder, DirectoryHeld, type Holder, readHolder } from './data-directory.js';
import { type HeldEmbedded, holdEmbedded } from './hold-embedded.js';
import { PgliteStream } from './pglite-stream.js';

/**
 * The embedded database of a directory that another process holds. If the holder was a guest and is gone, this process
 * takes over, so that the remaining processes can continue. Guests never take over from a server.
 */
export class SharedEmbedded {
  readonly #dataDirectory: string;
  readonly #own: Holder;
  #joined: Holder | undefined;
  #held: HeldEmbedded | undefined;

  /** `own` is the role in which this process would hold the directory. */
  constructor(dataDirectory: string, own: Holder) {
    this.#dataDirectory = dataDirectory;
    this.#own = own;
  }

  /**
   * Connects to the database. Returns undefined if the holder just changed, so the caller should try again. Rejects if
   * the holder was a server that is gone.
   */
  async connect(): Promise<Duplex | undefined> {
    if (this.#held !== undefined) return new PgliteStream(this.#held.gate.openSession());
    try {
      const socket = await connectToHolder(this.#dataDirectory);
      // Read synchronously: the caller must not miss the end of the socket.
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
