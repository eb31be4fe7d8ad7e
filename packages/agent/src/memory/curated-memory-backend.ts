import type { CuratedMemory } from './curated-memory.js';
import type { MemoryBackend, RecalledMemory, RecallRequest } from './memory-backend.js';

/**
 * Recalls the whole curated memory at the start of a run. Writes nothing: only the model writes, with its `memory`
 * tool.
 */
export class CuratedMemoryBackend implements MemoryBackend {
  readonly #memory: CuratedMemory;

  constructor(memory: CuratedMemory) {
    this.#memory = memory;
  }

  async recallBeforeRun({ audit }: RecallRequest): Promise<RecalledMemory> {
    const { snapshot, withheld } = await this.#memory.inspect();
    for (const payload of withheld) await audit({ type: 'curated_memory_withheld', payload });
    return { rules: [], snapshot, references: [] };
  }

  async persistAfterRun(): Promise<void> {}
}
