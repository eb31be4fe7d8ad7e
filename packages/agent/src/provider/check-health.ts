import type { HealthStatus } from './provider.js';
import { isProviderError } from './provider-errors.js';

/** Turns a check into a status that never rejects and never comes late, whatever the check does. */
export async function checkHealth(
  deadlineMs: number,
  check: (signal: AbortSignal) => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<HealthStatus> {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((tell) => {
    timer = setTimeout(() => tell('health check timeout'), deadlineMs);
    signal?.addEventListener('abort', () => tell('health check aborted'), { signal: ended.signal });
    if (signal?.aborted) tell('health check aborted');
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
