import { Tokenizer } from '@huggingface/tokenizers';

/** What a model reads. */
export interface Tokens {
  ids: BigInt64Array;
  /** 1 for each token, because none is padding. */
  mask: Int32Array;
  /** 1 for the tokens of a passage after a query. */
  types: Int32Array;
}

/** Of any model whose `tokenizer.json` ends a text with a special token. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #maxTokens: number;

  constructor(tokenizerJson: Uint8Array, maxTokens: number) {
    this.#tokenizer = new Tokenizer(JSON.parse(new TextDecoder().decode(tokenizerJson)), {});
    this.#maxTokens = maxTokens;
  }

  /** Cuts what is too long: of a text and a passage, the end of the passage. */
  encode(text: string, passage?: string): Tokens {
    const encoded = this.#tokenizer.encode(text, { text_pair: passage ?? null, return_token_type_ids: true });
    const ids = this.#cut(encoded.ids);
    return {
      ids: BigInt64Array.from(ids, BigInt),
      mask: new Int32Array(ids.length).fill(1),
      types: Int32Array.from(this.#cut(encoded.token_type_ids)),
    };
  }

  #cut(numbers: readonly number[]): readonly number[] {
    if (numbers.length <= this.#maxTokens) return numbers;
    return [...numbers.slice(0, this.#maxTokens - 1), numbers.at(-1) as number];
  }
}
