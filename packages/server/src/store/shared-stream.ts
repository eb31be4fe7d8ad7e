import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocketLike } from './socket-like.js';

/** Returns undefined if it is worth trying again. */
interface StreamSource {
  connect(): Promise<Duplex | undefined>;
}

const pauseMs = 50;

/**
 * The socket that node-postgres uses to reach the process that has the database open. A process that is just opening or
 * shutting down the database accepts connections and closes them without a response; the data is then sent again, to
 * the same process or to the next one.
 */
export class SharedStream extends SocketLike {
  readonly #source: StreamSource;
  readonly #deadline: number;
  #inner: Duplex | undefined;
  /** Sent data, kept until the first response. */
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
      if (performance.now() > this.#deadline) throw new Error('timed out while connecting to the embedded database');
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
