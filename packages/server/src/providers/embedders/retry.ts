import { setTimeout as delay } from 'node:timers/promises';
import { EmbedderError } from '../../ports/embedder-error.js';

export interface RetryOptions {
  /** Tries after the first. */
  maxRetries: number;
  /** The wait before the first retry; it doubles from retry to retry. */
  baseDelayMs: number;
  /** No wait is longer, whatever the server asks for. */
  maxDelayMs: number;
}

/** An `unavailable` error whose server said when to come back. */
export class RetryLaterError extends EmbedderError {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number | undefined, retryAfterMs: number | undefined) {
    super('unavailable', message, status);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Repeats the task while it fails with a retryable error. Rejects with the last error, or the signal's reason. */
export async function retry<T>(options: RetryOptions, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await task();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EmbedderError && error.retryable) || attempt >= options.maxRetries) throw error;
      const asked = error instanceof RetryLaterError ? error.retryAfterMs : undefined;
      await wait(asked === undefined ? backoffMs(options, attempt) : Math.min(asked, options.maxDelayMs), signal);
    }
  }
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
