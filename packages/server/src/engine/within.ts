import { Problem } from '@memhall/core';

const pingDeadlineMs = 1000;

/** A store that hangs must not hang what asks how it does. */
export async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('UNAVAILABLE', 'The store does not answer.')), pingDeadlineMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
