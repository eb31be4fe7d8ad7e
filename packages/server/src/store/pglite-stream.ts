import type { PgliteSession } from './pglite-gate.js';
import { SocketLike } from './socket-like.js';

/**
 * The socket that node-postgres uses: speaks the wire protocol with the database in this process. PGlite's own
 * node-postgres adapter passes every message separately; here all queued messages go in one call, which is what makes
 * pipelining worthwhile.
 */
export class PgliteStream extends SocketLike {
  readonly #session: PgliteSession;

  constructor(session: PgliteSession) {
    super();
    this.#session = session;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#run(isTerminate(chunk) ? Buffer.alloc(0) : chunk, done);
  }

  #run(messages: Buffer, done: (error?: Error | null) => void): void {
    if (messages.length === 0) {
      done();
      return;
    }
    this.#session.execute(messages).then(
      (answer) => {
        if (answer.length > 0) this.push(Buffer.from(answer));
        done();
      },
      (error: Error) => done(error),
    );
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const messages = chunks.map(({ chunk }) => chunk).filter((chunk) => !isTerminate(chunk));
    this.#run(Buffer.concat(messages), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#session.end().then(
      () => done(error),
      () => done(error),
    );
  }
}

/**
 * node-postgres writes whole messages: a chunk that starts with a Terminate message contains nothing else. The shared
 * backend must not see it.
 */
function isTerminate(chunk: Buffer): boolean {
  return chunk.length === 5 && chunk[0] === 0x58;
}
