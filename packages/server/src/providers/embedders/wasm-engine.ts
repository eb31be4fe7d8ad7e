import { createEmbedder, type Embedder as WasmEmbedder } from '@lat.md/embed';
import type { EmbeddingEngine } from './embedding-engine.js';
import { MINILM_DIMENSION, MINILM_MAX_TOKENS, type MinilmFiles, readPinnedFile } from './minilm-model.js';

/** An order of magnitude slower than the native engine, but runs wherever Node runs. */
export class WasmEngine implements EmbeddingEngine {
  readonly runtime = '@lat.md/embed (WebAssembly)';
  /** One text at a time: batching gains nothing here. */
  readonly batchTokens = 1;
  readonly #embedder: WasmEmbedder;

  private constructor(embedder: WasmEmbedder) {
    this.#embedder = embedder;
  }

  static async load(files: MinilmFiles): Promise<WasmEngine> {
    for (const file of Object.values(files)) await readPinnedFile(file);
    const embedder = await createEmbedder({
      model: {
        id: 'minilm-l6-v2',
        dimensions: MINILM_DIMENSION,
        maxTokens: MINILM_MAX_TOKENS,
        pooling: 'mean',
        normalize: true,
        weightsPath: files.weights.path,
        tokenizerPath: files.tokenizer.path,
        configPath: files.config.path,
      },
    });
    const engine = new WasmEngine(embedder);
    await engine.embed(['warm up']);
    return engine;
  }

  /** One text at a time: the library starts its own threads if it gets many texts at once. */
  async embed(texts: readonly string[]): Promise<Float32Array> {
    const vectors = new Float32Array(texts.length * MINILM_DIMENSION);
    for (const [index, text] of texts.entries()) {
      const [vector] = await this.#embedder.embed([text]);
      vectors.set(vector ?? [], index * MINILM_DIMENSION);
    }
    return vectors;
  }
}
