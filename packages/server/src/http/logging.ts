import type { Json } from '@memhall/core';
import { type Logger, pino } from 'pino';
import { toReadableLine } from './readable-log.js';

/**
 * Logs to standard error; standard output is for the output of commands.
 * @param format `auto` is for people if standard error is a terminal, otherwise JSON
 */
export function createLogger(level: string, format: 'auto' | 'json' | 'text' = 'auto'): Logger {
  const options = { level, base: { service: 'memhall' }, timestamp: pino.stdTimeFunctions.isoTime };
  const isText = format === 'text' || (format === 'auto' && process.stderr.isTTY === true);
  const destination = pino.destination({ fd: 2, sync: true });
  if (!isText) return pino(options, destination);
  const hasColours = process.stderr.hasColors?.() === true;
  return pino(options, { write: (line) => destination.write(toReadableLine(line, hasColours)) });
}

/** Logs errors of background work, which has no caller to report them to. */
export function logFaults(logger: Logger): (error: unknown, doing: string) => void {
  return (error, doing) => logger.error({ error: describeError(error) }, `failed: ${doing}`);
}

/** Describes an error for the log. Database messages quote user data, so only their code and stack are kept. */
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
