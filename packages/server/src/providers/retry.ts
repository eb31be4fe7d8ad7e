import { setTimeout as delay } from 'node:timers/promises';

export interface RetryOptions {
  /** Tries after the first. */
  maxRetries: number;
  /** The wait before the first retry; it doubles from retry to retry. */
  baseDelayMs: number;
  /** No wait is longer, whatever the server asks for. */
  maxDelayMs: number;
  /** Fail at once when the server asks for a longer wait, instead of coming back too early. */
  givesUpOnLongWaits?: boolean | undefined;
}

/** Errors of ports say so themselves; those of a server that named a time to come back say when. */
interface RetryableError extends Error {
  retryable: true;
  retryAfterMs?: number | undefined;
}

/** Repeats the task while it fails with a retryable error. Rejects with the last error, or the signal's reason. */
export async function retry<T>(options: RetryOptions, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      signal.throwIfAborted();
      if (!isRetryable(error) || attempt >= options.maxRetries) throw error;
      const asked = error.retryAfterMs;
      if (asked !== undefined && asked > options.maxDelayMs && options.givesUpOnLongWaits) throw error;
      await wait(asked === undefined ? backoffMs(options, attempt) : Math.min(asked, options.maxDelayMs), signal);
    }
  }
}

function isRetryable(error: unknown): error is RetryableError {
  return error instanceof Error && 'retryable' in error && error.retryable === true;
}

/** `Retry-After` is a number of seconds or a date. */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - nowMs;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}

function backoffMs({ baseDelayMs, maxDelayMs }: RetryOptions, attempt: number): number {
  const ceiling = Math.min(maxDelayMs, baseDelayMs * 2 ** attempt);
  return ceiling * (0.5 + Math.random() / 2);
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
