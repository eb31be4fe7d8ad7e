import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocketLike } from './socket-like.js';

/** Answers undefined when it is worth trying again. */
export interface StreamSource {
  connect(): Promise<Duplex | undefined>;
}

const pauseMs = 50;

/**
 * What node-postgres takes for a socket, to whoever has the database open. A process that is just opening or shutting it takes
 * connections and ends them without a word: then what was sent is sent again, to the same or to the next one.
 */
export class SharedStream extends SocketLike {
  readonly #source: StreamSource;
  readonly #deadline: number;
  #inner: Duplex | undefined;
  /** Until the first answer. */
  #sent: Buffer[] | undefined = [];

  constructor(source: StreamSource, timeoutMs: number) {
    super();
    this.#source = source;
    this.#deadline = performance.now() + timeoutMs;
  }

  connect(): this {
    this.#open().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#sent?.push(chunk);
    this.#inner?.write(chunk);
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#inner?.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  async #open(): Promise<void> {
    let inner = await this.#source.connect();
    while (inner === undefined) {
      await sleep(pauseMs);
      if (performance.now() > this.#deadline) throw new Error('nobody let us in to the database in time');
      inner = await this.#source.connect();
    }
    if (this.destroyed) {
      inner.destroy();
      return;
    }
    this.#inner = inner;
    inner.on('data', (chunk: Buffer) => {
      this.#sent = undefined;
      this.push(chunk);
    });
    inner.on('error', () => undefined).once('close', () => void this.#closed());
    for (const chunk of this.#sent ?? []) inner.write(chunk);
    if (inner.closed) void this.#closed();
  }

  async #closed(): Promise<void> {
    if (this.#sent === undefined || this.destroyed || this.writableEnded) {
      this.destroy();
      return;
    }
    this.#inner = undefined;
    await sleep(pauseMs);
    await this.#open().catch((error: Error) => this.destroy(error));
  }
}
