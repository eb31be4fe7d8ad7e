import type { CuratedMemory } from './curated-memory.js';
import type { MemoryBackend, RecalledMemory } from './memory-backend.js';

/** Recalls all there is, as it is when the run begins. Writes nothing itself: that is up to the model and its `memory` tool. */
export class CuratedMemoryBackend implements MemoryBackend {
  readonly #memory: CuratedMemory;

  constructor(memory: CuratedMemory) {
    this.#memory = memory;
  }

  async recallBeforeRun(): Promise<RecalledMemory> {
    return { rules: [], snapshot: await this.#memory.snapshot(), references: [] };
  }

  async persistAfterRun(): Promise<void> {}
}
