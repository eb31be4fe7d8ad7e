import type * as Onnx from 'onnxruntime-node';
import { EmbedderError } from '../../ports/embedder-error.js';
import type { EmbeddingEngine } from './embedding-engine.js';
import { type DirectoryModel, readModelFile } from './model-directory.js';
import { hasExternalData } from './onnx-external-data.js';
import { createOnnxSession, type OnnxRuntime } from './onnx-session.js';
import { TextTokenizer } from './text-tokenizer.js';
import { toUnitVector } from './to-unit-vector.js';

/** Any sentence-embedding model in ONNX form. */
export class OnnxEngine implements EmbeddingEngine {
  readonly runtime: string;
  /** One text at a time: a model that quantises whole tensors gives a text another vector in another batch. */
  readonly batchTokens = 1;
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
    const graph = (await readModelFile(model.directory, model.graph)) as Uint8Array;
    if (hasExternalData(graph)) {
      throw new EmbedderError('misconfigured', `${model.graph} keeps weights in other files, which is not supported`);
    }
    const tokenizer = (await readModelFile(model.directory, 'tokenizer.json')) as Uint8Array;
    const session = await createOnnxSession(onnx, graph, threads);
    return new OnnxEngine(onnx, session, new TextTokenizer(tokenizer, model.maxTokens), model.pooling);
  }

  async embed(texts: readonly string[]): Promise<Float32Array> {
    const batch = this.#tokenizer.encode(texts);
    const shape = [batch.texts, batch.length];
    const values: Record<string, Int32Array | BigInt64Array> = {
      input_ids: batch.ids,
      attention_mask: batch.mask,
      token_type_ids: new Int32Array(batch.mask.length),
    };
    const inputs = this.#session.inputMetadata.map((input) => {
      const value = values[input.name];
      if (value === undefined || !input.isTensor) {
        throw new EmbedderError('misconfigured', `The model has an input '${input.name}', which is not supported`);
      }
      const tensor =
        input.type === 'int32'
          ? new this.#onnx.Tensor('int32', Int32Array.from(value, Number), shape)
          : new this.#onnx.Tensor('int64', BigInt64Array.from(value, BigInt), shape);
      return [input.name, tensor] as const;
    });
    const outputs = await this.#session.run(Object.fromEntries(inputs));
    const first = this.#session.outputNames[0] as string;
    const output = outputs.sentence_embedding ?? outputs.last_hidden_state ?? outputs[first];
    if (output?.type !== 'float32') throw new EmbedderError('misconfigured', 'The model does not return floats');
    return this.#pool(output as Onnx.TypedTensor<'float32'>, batch.mask);
  }

  /** Returns unit vectors, from one vector per text or per token. */
  #pool({ dims, data }: Onnx.TypedTensor<'float32'>, mask: Int32Array): Float32Array {
    const [texts, length, dimension] =
      dims.length === 3 ? (dims as [number, number, number]) : [dims[0] as number, 1, dims[1] as number];
    const pooled = new Float32Array(texts * dimension);
    for (let text = 0; text < texts; text++) {
      const sum = new Float32Array(dimension);
      const tokens = dims.length === 3 && this.#pooling === 'mean' ? length : 1;
      for (let token = 0; token < tokens; token++) {
        if (tokens > 1 && mask[text * length + token] === 0) continue;
        const start = (text * length + token) * dimension;
        for (let i = 0; i < dimension; i++) sum[i] = (sum[i] as number) + (data[start + i] as number);
      }
      const unit = toUnitVector(sum);
      if (unit === undefined)
        throw new EmbedderError('invalid-response', 'The model returned a vector that is zero or not finite');
      pooled.set(unit, text * dimension);
    }
    return pooled;
  }
}
