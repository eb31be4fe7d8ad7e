/**
 * Says what the event loop works on, so that a stall can be attributed to an operation.
 *
 * Call `mark` wherever the work of an operation starts or continues after a wait. Everything until the next mark counts as work of
 * that operation.
 * Cost: below a microsecond. Never throws.
 */
export interface LoopMarks {
  /** The operation is an id such as `working.put` or `job:replay`, never content. */
  mark(operation: string): void;
}

/** The operation of work that belongs to no request and no job. */
export const noOperation = 'none';

/** For processes that do not watch their event loop. */
export const noMarks: LoopMarks = { mark: () => undefined };
