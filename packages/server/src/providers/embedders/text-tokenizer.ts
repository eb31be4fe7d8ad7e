import { Tokenizer } from '@huggingface/tokenizers';

interface TokenBatch {
  /** Row-major [texts, length], padded with 0. */
  ids: BigInt64Array;
  mask: Int32Array;
  texts: number;
  length: number;
}

/** Of any model whose `tokenizer.json` ends a text with a special token. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;

  constructor(tokenizerJson: Uint8Array, maxTokens: number) {
    this.#tokenizer = new Tokenizer(JSON.parse(new TextDecoder().decode(tokenizerJson)), {});
    this.#maxTokens = maxTokens;
  }

  encode(texts: readonly string[]): TokenBatch {
    const rows = texts.map((text) => this.#encodeOne(text));
    const length = Math.max(...rows.map((row) => row.length));
    const ids = new BigInt64Array(rows.length * length);
    const mask = new Int32Array(rows.length * length);
    rows.forEach((row, index) => {
      ids.set(row.map(BigInt), index * length);
      mask.fill(1, index * length, index * length + row.length);
    });
    return { ids, mask, texts: rows.length, length };
  }

  #encodeOne(text: string): number[] {
    const { ids } = this.#tokenizer.encode(text);
    return ids.length <= this.#maxTokens ? ids : [...ids.slice(0, this.#maxTokens - 1), ids.at(-1) as number];
  }
}
