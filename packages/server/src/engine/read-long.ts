import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@memhall/core';
import { ThreadLimitError, type Threads } from '../ports/threads.js';
import type { SlowResults } from './slow-results.js';

/** Reading more characters than this can take 50 ms, which makes others wait. */
const mostCharactersHere = 100_000;
/** Short texts may be many. After reading for this long, the next one waits until others had their turn. */
const mostAtOnceMs = 5;
/** When reading last began after a turn of the event loop. */
let readingSinceMs = 0;

/** A function of content that a module exports under its own name. The module should import little: a thread loads it each time. */
export interface ContentTask<I, O> {
  /** `import.meta.url` of the module. */
  module: string;
  run(input: I): O;
}

/** Returns whether content of this many characters must be read in a thread. */
export function isLong(characters: number): boolean {
  return characters > mostCharactersHere;
}

/** Call before each of many short pieces of work. Waits for a turn of the event loop if they have taken long since the last. */
export async function letOthersRun(): Promise<void> {
  if (performance.now() - readingSinceMs <= mostAtOnceMs) return;
  await nextTurn();
  readingSinceMs = performance.now();
}

/**
 * Reads content: here if it is short, in a thread with a deadline if it is long. Of many short ones, each in a call of its own, others wait
 * for one at most. Throws UNAVAILABLE at the deadline.
 */
export async function readLong<I, O>(
  { threads }: { threads: Threads },
  { module, run }: ContentTask<I, O>,
  input: I,
  characters: number,
): Promise<O> {
  if (!isLong(characters)) {
    await letOthersRun();
    return run(input);
  }
  try {
    return await threads.call<O>({ module, name: run.name }, input);
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw new Problem('UNAVAILABLE', 'The text could not be read in time. Try again later.', { retryAfterSeconds: 30 });
  }
}

/** The same within a transaction, which ends if the content is long, and runs again with the result. */
export function readLongBetween<I, O>(
  engine: { threads: Threads },
  slow: SlowResults,
  task: ContentTask<I, O>,
  input: I,
  characters: number,
): O {
  if (!isLong(characters)) return task.run(input);
  return slow.get(task.run.name, input, () => readLong(engine, task, input, characters));
}
