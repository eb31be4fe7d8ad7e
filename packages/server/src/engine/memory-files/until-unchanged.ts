import { Problem } from '@memhall/core';

const maxTries = 8;

/** Tries again while the work returns undefined, which says that the files changed between its preparation and its transaction. */
export async function untilUnchanged<T>(work: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries++) {
    const result = await work();
    if (result !== undefined) return result;
  }
  throw new Problem('CONFLICT', 'The files keep changing. Try again.');
}
