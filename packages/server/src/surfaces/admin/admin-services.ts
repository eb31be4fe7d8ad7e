import type { MemoryHolding } from '../../engine/cutover/memory-holding.js';
import type { Engine } from '../../engine/engine.js';

export interface AdminServices {
  engine: Engine;
  /** Chosen by the cutover flag; undefined if it would be the older store and none is configured. */
  holding: MemoryHolding | undefined;
}
