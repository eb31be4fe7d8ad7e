import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store.js';

/** What every use case works with. Use cases are plain functions: `(engine, caller, input)`. */
export interface Engine {
  store: Store;
  clock: Clock;
}
