import { createEmbedder, type Embedder as WasmEmbedder } from '@lat.md/embed';
import { MINILM_DIMENSION, MINILM_MAX_TOKENS, type MinilmFiles, readPinnedFile } from './minilm-model.js';
import type { ModelEngine } from './model-engine.js';

/** An order of magnitude slower than the native engine, but runs wherever Node runs. */
export class WasmEngine implements ModelEngine {
  readonly runtime = '@lat.md/embed (WebAssembly)';
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
    await engine.run('warm up');
    return engine;
  }

  async run(text: string): Promise<Float32Array> {
    const [vector] = await this.#embedder.embed([text]);
    return Float32Array.from(vector ?? []);
  }
}
