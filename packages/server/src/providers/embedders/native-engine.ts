import type * as Onnx from 'onnxruntime-node';
import type { EmbeddingEngine } from './embedding-engine.js';
import type { WordPieceTokenizer } from './word-piece-tokenizer.js';

export type OnnxRuntime = Pick<typeof Onnx, 'InferenceSession' | 'Tensor' | 'env'>;

export class NativeEngine implements EmbeddingEngine {
  readonly runtime: string;
  readonly batchTokens = 72;
  readonly #onnx: OnnxRuntime;
  readonly #session: Onnx.InferenceSession;
  readonly #tokenizer: WordPieceTokenizer;

  private constructor(onnx: OnnxRuntime, session: Onnx.InferenceSession, tokenizer: WordPieceTokenizer) {
    this.runtime = `onnxruntime-node ${onnx.env.versions.common}`;
    this.#onnx = onnx;
    this.#session = session;
    this.#tokenizer = tokenizer;
  }

  /** Also computes one vector, to detect a runtime that loads but does not work. */
  static async load(onnx: OnnxRuntime, graph: Uint8Array, tokenizer: WordPieceTokenizer, threads: number) {
    const session = await onnx.InferenceSession.create(graph, {
      executionProviders: ['cpu'],
      graphOptimizationLevel: 'all',
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
      // Spinning threads take cores from working ones: 2 threads were measured 3 times slower than 1.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
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
