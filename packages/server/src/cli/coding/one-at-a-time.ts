import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 100;
/** Longer than a hook works in the background. Who holds the place after that is gone. */
const stalePlaceMs = 150_000;

/** Does work while no other process that names the same place does. Waits for the others. */
export async function oneAtATime<T>(place: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  while (!isTaken(place)) await sleep(pauseMs);
  try {
    return await work();
  } finally {
    leave(place);
  }
}

/** Making a directory either succeeds or says that it is there: two processes cannot both make it. */
function isTaken(place: string): boolean {
  try {
    mkdirSync(place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = statSync(place, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > stalePlaceMs) leave(place);
    return false;
  }
}

function leave(place: string): void {
  try {
    rmdirSync(place);
  } catch {
    // Another process has found it stale.
  }
}
