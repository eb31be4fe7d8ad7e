import type { ArtifactOwner, ArtifactStore } from '../../ports/artifact-store.js';
import type { Artifact, ArtifactKey } from '../../ports/artifacts.js';
import type { Tables } from '../../ports/store.js';
import type { Engine } from '../engine.js';

/** How rows are made of what the outer store has. */
export interface Derivation {
  /** Prepares the rows that follow from artifacts; what it answers stores them, and removes those of artifacts that are gone. */
  rows(
    engine: Engine,
    owner: ArtifactOwner,
    artifacts: readonly Artifact[],
    gone?: readonly ArtifactKey[],
  ): Promise<(tables: Tables) => Promise<void>>;
  /** Makes the user's resources what the outer store has. */
  resources(engine: Engine, outer: OuterArtifacts, owner: ArtifactOwner): Promise<void>;
}

const maxOwners = 10_000;

/** A user's part of the outer store, as this node last saw it. True as long as the database names the same change. */
export interface OuterMemory {
  changeId: string;
  journalTag: string;
  /** Audit records up to this one were copied. */
  copiedSeq: bigint;
}

/**
 * The outer store, and what this node need not ask it again. Forgetting any of it costs requests and nothing else:
 * journals are overwritten under the condition of their tag, and copies of audit records may be made twice.
 */
export class OuterArtifacts {
  readonly store: ArtifactStore;
  readonly derive: Derivation;
  readonly #memories = new Map<string, OuterMemory>();
  readonly #uncopied = new Map<string, ArtifactOwner>();
  readonly #copying = new Set<Promise<void>>();

  constructor(store: ArtifactStore, derive: Derivation) {
    this.store = store;
    this.derive = derive;
  }

  /** undefined: nothing is remembered that belongs to this change. */
  recall(owner: ArtifactOwner, changeId: string | undefined): OuterMemory | undefined {
    const memory = this.#memories.get(idOf(owner));
    return memory !== undefined && memory.changeId === changeId ? memory : undefined;
  }

  remember(owner: ArtifactOwner, memory: OuterMemory): void {
    if (this.#memories.size >= maxOwners) this.#memories.clear();
    this.#memories.set(idOf(owner), memory);
  }

  forget(owner: ArtifactOwner): void {
    this.#memories.delete(idOf(owner));
  }

  /** The user's audit chain has records that were not copied yet. */
  noteUncopied(owner: ArtifactOwner): void {
    this.#uncopied.set(idOf(owner), owner);
  }

  /** Copies after the answer; what fails is noted and copied later. */
  copyInBackground(owner: ArtifactOwner, copy: () => Promise<void>): void {
    const copying = copy()
      .catch(() => this.noteUncopied(owner))
      .finally(() => this.#copying.delete(copying));
    this.#copying.add(copying);
  }

  async copied(): Promise<void> {
    await Promise.all(this.#copying);
  }

  takeUncopied(): ArtifactOwner[] {
    const owners = [...this.#uncopied.values()];
    this.#uncopied.clear();
    return owners;
  }
}

function idOf({ tenantId, userId }: ArtifactOwner): string {
  return `${tenantId}\n${userId}`;
}
