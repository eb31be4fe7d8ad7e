import type { Logger } from 'pino';
import { describeError } from '../http/logging.js';

const shutdownDeadlineMs = 9000;

/** Closes on SIGTERM or SIGINT and ends the process, within ten seconds whatever happens. */
export function stopOnSignal(running: { close(): Promise<void> }, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.warn('something was still running at the deadline');
      process.exit(0);
    }, shutdownDeadlineMs).unref();
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error: describeError(error) }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
