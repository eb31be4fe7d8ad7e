import type { HealthStatus } from './provider.js';
import { isProviderError } from './provider-errors.js';

/** Runs a check and returns its status. Never rejects and never exceeds the deadline, regardless of the check. */
export async function checkHealth(
  deadlineMs: number,
  check: (signal: AbortSignal) => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<HealthStatus> {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((report) => {
    timer = setTimeout(() => report('health check timeout'), deadlineMs);
    signal?.addEventListener('abort', () => report('health check aborted'), { signal: ended.signal });
    if (signal?.aborted) report('health check aborted');
  });
  const checked = check(ended.signal).catch((error: unknown) =>
    isProviderError(error) ? error.message : 'health check failed',
  );
  const message = await Promise.race([checked, late]);
  clearTimeout(timer);
  ended.abort();
  const checkedAt = new Date().toISOString();
  return message === undefined ? { ok: true, checkedAt } : { ok: false, message, checkedAt };
}
