import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

/** A logger at every level whose lines are kept. */
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
