/** A function that a module exports. Its argument and its result must be cloneable. */
export interface ThreadTask {
  /** `import.meta.url` of the module. */
  module: string;
  /** Name of the export. */
  name: string;
}

/** Why a task did not finish: it exceeded its time or memory. */
type ThreadLimit = 'took_too_long' | 'too_large';

export class ThreadLimitError extends Error {
  constructor(readonly limit: ThreadLimit) {
    super(`a task in a thread was stopped: ${limit}`);
  }
}

/**
 * Runs functions that would occupy the event loop for too long in threads of their own.
 *
 * Ownership: input that is a Uint8Array moves to the thread, and the caller must not use it afterwards; other input is copied.
 * Hazards: whatever the input is, a call ends within bounded time and uses bounded memory.
 * Errors: a Problem that the function throws arrives as a Problem; `ThreadLimitError`; the signal's reason after an abort; an
 * Error for anything else.
 * Concurrency: calls may overlap; the adapter limits how many run and makes the others wait.
 */
export interface Threads {
  call<T>(task: ThreadTask, input: unknown, options?: { signal?: AbortSignal | undefined }): Promise<T>;
}
