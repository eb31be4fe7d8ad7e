import type { Json } from '@memhall/core';
import { type Logger, pino } from 'pino';

/** JSON lines to standard error: standard output belongs to what a command prints. */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: { service: 'memhall' }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  );
}

/** Tells of what went wrong where no caller can be told. */
export function logFaults(logger: Logger): (error: unknown, doing: string) => void {
  return (error, doing) => logger.error({ error: describeError(error) }, `failed: ${doing}`);
}

/**
 * An error for the log. Database messages quote the data they are about, so of those only code and place are kept.
 */
export function describeError(error: unknown): { [key: string]: Json } {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const fromDatabase = 'severity' in error;
  return {
    type: error.name,
    ...(code === null ? {} : { code }),
    ...(fromDatabase ? {} : { message: error.message }),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
