import type { Logger } from 'pino';
import { describeError } from '../http/logging.js';

const shutdownDeadlineMs = 9000;

/** Closes on SIGTERM or SIGINT and exits. Always exits within ten seconds after `drainMs`, even if closing hangs. */
export function stopOnSignal(running: { close(): Promise<void> }, logger: Logger, drainMs = 0): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.warn('forced exit: closing did not finish before the deadline');
      process.exit(0);
    }, drainMs + shutdownDeadlineMs).unref();
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error: describeError(error) }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
