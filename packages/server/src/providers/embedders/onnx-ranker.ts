import type * as Onnx from 'onnxruntime-node';
import { EmbedderError } from '../../ports/embedder-error.js';
import { readGraph, readModelFile } from './model-directory.js';
import type { ModelEngine } from './model-engine.js';
import { toOnnxInputs } from './onnx-inputs.js';
import { createOnnxSession, type OnnxRuntime } from './onnx-session.js';
import type { DirectoryReranker } from './reranker-directory.js';
import { TextTokenizer } from './text-tokenizer.js';

/** A cross-encoder in ONNX form: it reads a query and a passage together, and returns one number. */
export class OnnxRanker implements ModelEngine {
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

  static async load(onnx: OnnxRuntime, reranker: DirectoryReranker, threads: number): Promise<OnnxRanker> {
    const session = await createOnnxSession(onnx, await readGraph(reranker), threads);
    const tokenizer = (await readModelFile(reranker.directory, 'tokenizer.json')) as Uint8Array;
    return new OnnxRanker(onnx, session, new TextTokenizer(tokenizer, reranker.maxTokens));
  }

  async run(query: string, passage = ''): Promise<Float32Array> {
    const outputs = await this.#session.run(
      toOnnxInputs(this.#onnx, this.#session, this.#tokenizer.encode(query, passage)),
    );
    const output = outputs.logits ?? outputs[this.#session.outputNames[0] as string];
    if (output?.type !== 'float32' || output.size !== 1) {
      throw new EmbedderError(
        'misconfigured',
        'The model is no reranker: it does not return one number for a query and a passage',
      );
    }
    return Float32Array.from(output.data as Float32Array);
  }
}
