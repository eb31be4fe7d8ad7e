import type * as Onnx from 'onnxruntime-node';
import type { EmbeddingEngine } from './embedding-engine.js';
import { createOnnxSession, type OnnxRuntime } from './onnx-session.js';
import type { TextTokenizer } from './text-tokenizer.js';

export class NativeEngine implements EmbeddingEngine {
  readonly runtime: string;
  /**
   * One text at a time: in a batch, sums are added up in another order, so that vectors would differ in their last digits. Batches
   * took 7 % less processor time.
   */
  readonly batchTokens = 1;
  readonly #onnx: OnnxRuntime;
  readonly #session: Onnx.InferenceSession;
  readonly #tokenizer: TextTokenizer;

  private constructor(onnx: OnnxRuntime, session: Onnx.InferenceSession, tokenizer: TextTokenizer) {
    this.runtime = `onnxruntime-node ${onnx.env.versions.common}`;
    this.#onnx = onnx;
    this.#session = session;
    this.#tokenizer = tokenizer;
  }

  /** Also computes one vector, to detect a runtime that loads but does not work. */
  static async load(onnx: OnnxRuntime, graph: Uint8Array, tokenizer: TextTokenizer, threads: number) {
    const session = await createOnnxSession(onnx, graph, threads);
    const engine = new NativeEngine(onnx, session, tokenizer);
    const vector = await engine.embed(['warm up']);
    if (!vector.every(Number.isFinite)) throw new Error('the native runtime does not compute finite numbers');
    return engine;
  }

  async embed(texts: readonly string[]): Promise<Float32Array> {
    const batch = this.#tokenizer.encode(texts);
    const shape = [batch.texts, batch.length];
    const { embedding } = await this.#session.run({
      input_ids: new this.#onnx.Tensor('int64', batch.ids, shape),
      attention_mask: new this.#onnx.Tensor('int32', batch.mask, shape),
    });
    return (embedding as Onnx.TypedTensor<'float32'>).data;
  }
}
