import type { Embedder } from '../../ports/embedder.js';
import { EmbedderError } from '../../ports/embedder-error.js';
import type { PluginCapability } from '../../ports/memory-plugin.js';
import { embedderFails, noEmbedder, type VectorSource, vectorNeed } from '../host/vector-source.js';
import { embedContents } from '../memories/embed-contents.js';
import { RowFault } from './map-namespace.js';
import { markedVector } from './marked-vector.js';

export interface VectorSupply {
  source: VectorSource;
  /** Called only if a target needs vectors. Resolves with null if no embedder is configured. */
  openEmbedder(): Promise<Embedder | null>;
}

/** For targets that compute their own vectors, if any. */
export const noVectors: VectorSupply = { source: 'plugin', openEmbedder: async () => null };

/** Computes the vectors that a target needs to find memories. */
export class TargetVectors {
  readonly #supply: VectorSupply;
  #embedder: Embedder | null = null;

  constructor(supply: VectorSupply) {
    this.#supply = supply;
  }

  /** Whether the target is sent vectors. */
  get areSent(): boolean {
    return this.#embedder !== null;
  }

  /** Throws UNAVAILABLE if the target finds memories only by vectors and there is no embedder. */
  async learn(capabilities: readonly PluginCapability[]): Promise<void> {
    const need = vectorNeed(this.#supply.source, new Set(capabilities));
    this.#embedder = need === 'none' ? null : await this.#supply.openEmbedder();
    if (need === 'required' && this.#embedder === null) throw noEmbedder();
  }

  /**
   * Returns undefined if the target is sent none. Throws RowFault if this text cannot be embedded, and UNAVAILABLE if
   * the embedder fails.
   */
  async of({ id, content }: { id: string; content: string }): Promise<number[] | undefined> {
    if (this.#embedder === null) return undefined;
    try {
      const [vector] = await embedContents(this.#embedder, [content]);
      return vector && markedVector(vector, id);
    } catch (error) {
      if (error instanceof EmbedderError && error.isAboutText) throw new RowFault('cannot be embedded');
      throw embedderFails(error);
    }
  }
}
