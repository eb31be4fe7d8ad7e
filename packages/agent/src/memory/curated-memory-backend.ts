import type { CuratedMemory } from './curated-memory.js';
import type { MemoryBackend, RecalledMemory } from './memory-backend.js';

/**
 * Recalls the whole curated memory at the start of a run. Writes nothing: only the model writes, with its `memory`
 * tool.
 */
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
