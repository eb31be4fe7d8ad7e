import type { CompletedTurn, MemoryBackend, RecalledMemory, RecallRequest } from './memory-backend.js';

/** Combines several backends. Recalls from all of them and persists to all of them, one after the other. */
export class HybridMemoryBackend implements MemoryBackend {
  readonly #backends: readonly MemoryBackend[];

  constructor(backends: readonly MemoryBackend[]) {
    this.#backends = backends;
  }

  async recallBeforeRun(request: RecallRequest): Promise<RecalledMemory> {
    const recalled: RecalledMemory[] = [];
    for (const backend of this.#backends) recalled.push(await backend.recallBeforeRun(request));
    const notes = recalled.flatMap((memory) => memory.notes ?? []);
    const snapshot = recalled.find((memory) => memory.snapshot !== undefined)?.snapshot;
    return {
      rules: recalled.flatMap(({ rules }) => rules),
      references: recalled.flatMap(({ references }) => references),
      ...(notes.length === 0 ? {} : { notes }),
      ...(snapshot === undefined ? {} : { snapshot }),
    };
  }

  async persistAfterRun(turn: CompletedTurn): Promise<void> {
    for (const backend of this.#backends) await backend.persistAfterRun(turn);
  }
}
