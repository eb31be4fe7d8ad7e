import { setTimeout as delay } from 'node:timers/promises';

export interface RetryOptions {
  /** Attempts after the first. */
  maxRetries: number;
  /** Pause before the first retry; it doubles with every retry. */
  baseDelayMs: number;
  /** Longest pause, even if the server asks for a longer one. */
  maxDelayMs: number;
  /** Fail at once if the server asks for a longer pause, instead of retrying too early. */
  givesUpOnLongWaits?: boolean | undefined;
}

/** The ports' errors carry `retryable`; `retryAfterMs` is set if the server said when to retry. */
interface RetryableError extends Error {
  retryable: true;
  retryAfterMs?: number | undefined;
}

/** Repeats the task while it fails with a retryable error. Rejects with the last error, or with the signal's reason. */
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
