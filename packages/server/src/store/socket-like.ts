import { Duplex } from 'node:stream';

/** What node-postgres asks of a socket beside being a stream. */
export abstract class SocketLike extends Duplex {
  abstract connect(): this;

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}
}
