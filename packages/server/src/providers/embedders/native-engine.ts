import type * as Onnx from 'onnxruntime-node';
import type { ModelEngine } from './model-engine.js';
import { createOnnxSession, type OnnxRuntime } from './onnx-session.js';
import type { TextTokenizer } from './text-tokenizer.js';

export class NativeEngine implements ModelEngine {
  readonly runtime: string;
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
    const vector = await engine.run('warm up');
    if (!vector.every(Number.isFinite)) throw new Error('the native runtime does not compute finite numbers');
    return engine;
  }

  async run(text: string): Promise<Float32Array> {
    const { ids, mask } = this.#tokenizer.encode(text);
    const shape = [1, ids.length];
    const { embedding } = await this.#session.run({
      input_ids: new this.#onnx.Tensor('int64', ids, shape),
      attention_mask: new this.#onnx.Tensor('int32', mask, shape),
    });
    return (embedding as Onnx.TypedTensor<'float32'>).data;
  }
}
