import { Problem } from '@memhall/core';

const pingDeadlineMs = 1000;

/** Rejects with UNAVAILABLE after a second, so that health checks and metrics never wait on a hung store. */
export async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('UNAVAILABLE', 'The store does not respond.')), pingDeadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
