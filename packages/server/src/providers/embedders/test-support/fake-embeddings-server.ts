import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { answerJson, FakeOpenAiServer, type Interceptor } from '../../test-support/fake-openai-server.js';

interface EmbeddingsRequest {
  model: string;
  input: string[];
  dimensions?: number;
  encoding_format?: 'float' | 'base64';
}

export type EmbeddingsInterceptor = Interceptor<EmbeddingsRequest>;

const DIMENSION = 16;

/** The vector of a text is derived from its hash. */
export class FakeEmbeddingsServer extends FakeOpenAiServer<EmbeddingsRequest> {
  /** Dimension of the served model, whatever model name is requested. */
  dimension = DIMENSION;

  protected answer(body: EmbeddingsRequest, response: ServerResponse): void {
    answerJson(response, 200, toAnswer({ dimensions: this.dimension, ...body }));
  }
}

/** In reverse order, as the format allows: `index` identifies each item. */
export function toAnswer({ input, model, dimensions = DIMENSION, encoding_format }: EmbeddingsRequest) {
  const data = input.map((text, index) => {
    const vector = toVector(text, dimensions);
    const embedding = encoding_format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    return { object: 'embedding', index, embedding };
  });
  return { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function toVector(text: string, dimension: number): Float32Array {
  const hash = createHash('sha512').update(text).digest();
  return Float32Array.from({ length: dimension }, (_, i) => hash.readInt8(i % hash.length) + 0.5);
}
