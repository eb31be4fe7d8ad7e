import { Duplex } from 'node:stream';

/** The members of a socket that node-postgres needs in addition to a stream. */
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
