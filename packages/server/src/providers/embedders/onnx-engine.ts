import type * as Onnx from 'onnxruntime-node';
import { EmbedderError } from '../../ports/embedder-error.js';
import { type DirectoryModel, readGraph, readModelFile } from './model-directory.js';
import type { ModelEngine } from './model-engine.js';
import { toOnnxInputs } from './onnx-inputs.js';
import { createOnnxSession, type OnnxRuntime } from './onnx-session.js';
import { TextTokenizer } from './text-tokenizer.js';
import { toUnitVector } from './to-unit-vector.js';

/** Any sentence-embedding model in ONNX form. */
export class OnnxEngine implements ModelEngine {
  readonly runtime: string;
  readonly #onnx: OnnxRuntime;
  readonly #session: Onnx.InferenceSession;
  readonly #tokenizer: TextTokenizer;
  readonly #pooling: DirectoryModel['pooling'];

  private constructor(
    onnx: OnnxRuntime,
    session: Onnx.InferenceSession,
    tokenizer: TextTokenizer,
    pooling: DirectoryModel['pooling'],
  ) {
    this.runtime = `onnxruntime-node ${onnx.env.versions.common}`;
    this.#onnx = onnx;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#pooling = pooling;
  }

  static async load(onnx: OnnxRuntime, model: DirectoryModel, threads: number): Promise<OnnxEngine> {
    const session = await createOnnxSession(onnx, await readGraph(model), threads);
    const tokenizer = (await readModelFile(model.directory, 'tokenizer.json')) as Uint8Array;
    return new OnnxEngine(onnx, session, new TextTokenizer(tokenizer, model.maxTokens), model.pooling);
  }

  async run(text: string): Promise<Float32Array> {
    const outputs = await this.#session.run(toOnnxInputs(this.#onnx, this.#session, this.#tokenizer.encode(text)));
    const first = this.#session.outputNames[0] as string;
    const output = outputs.sentence_embedding ?? outputs.last_hidden_state ?? outputs[first];
    if (output?.type !== 'float32') throw new EmbedderError('misconfigured', 'The model does not return floats');
    return this.#pool(output as Onnx.TypedTensor<'float32'>);
  }

  /** Returns a unit vector, from one vector for the text or one per token. */
  #pool({ dims, data }: Onnx.TypedTensor<'float32'>): Float32Array {
    const dimension = dims.at(-1) as number;
    const tokens = dims.length === 3 && this.#pooling === 'mean' ? (dims[1] as number) : 1;
    const sum = new Float32Array(dimension);
    for (let token = 0; token < tokens; token++) {
      for (let i = 0; i < dimension; i++) sum[i] = (sum[i] as number) + (data[token * dimension + i] as number);
    }
    const unit = toUnitVector(sum);
    if (unit === undefined)
      throw new EmbedderError('invalid-response', 'The model returned a vector that is zero or not finite');
    return unit;
  }
}
