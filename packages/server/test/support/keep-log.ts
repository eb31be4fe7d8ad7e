import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

/** Returns a logger at every level and a function that returns its output. */
export function keepLog(): { logger: Logger; log(): string } {
  let log = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += chunk;
      done();
    },
  });
  return { logger: pino({ level: 'trace' }, sink), log: () => log };
}
