import type { ArtifactOwner } from '../ports/artifact-store.js';
import { idOf } from './outer.js';

/** Audit chains that this node still has to copy to the outer store. Records lost with a process are found by the `copy-audit` job. */
export class AuditCopies {
  readonly #pending = new Map<string, ArtifactOwner>();
  readonly #running = new Set<Promise<void>>();

  /** Notes that an audit chain has records that were not copied yet. */
  note(owner: ArtifactOwner): void {
    this.#pending.set(idOf(owner), owner);
  }

  /** Copies without making the caller wait. A chain whose copy fails is noted for later. */
  start(owner: ArtifactOwner, copy: () => Promise<void>): void {
    const running = copy()
      .catch(() => this.note(owner))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when no copy is running. */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Returns the noted chains and clears the list. */
  take(): ArtifactOwner[] {
    const owners = [...this.#pending.values()];
    this.#pending.clear();
    return owners;
  }
}
