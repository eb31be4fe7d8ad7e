import type { EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';

/** After this many queries in a row, waiting passages get a turn. */
const QUERIES_IN_A_ROW = 8;

interface Call {
  texts: readonly string[];
  purpose: EmbedPurpose;
  /** The first text that was not handed out yet. */
  next: number;
  vectors: Float32Array[];
  missing: number;
  resolve(vectors: Float32Array[]): void;
  reject(reason: unknown): void;
}

/** One text to embed. Models give a text another vector in another batch, so texts are never combined. */
interface Turn {
  readonly text: string;
  resolve(vector: Float32Array): void;
  /** Rejects the text's call as a whole. */
  reject(reason: unknown): void;
}

/** Hands out the texts of overlapping calls one by one: queries first, calls in rotation. */
export class EmbedQueue {
  readonly #lanes: Record<EmbedPurpose, Call[]> = { query: [], passage: [] };
  readonly #open = new Set<Call>();
  #queriesInARow = 0;

  add(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { signal, purpose = 'passage' } = options;
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#drop(call, signal?.reason);
      const settle = (action: () => void) => {
        signal?.removeEventListener('abort', onAbort);
        this.#open.delete(call);
        action();
      };
      const call: Call = {
        texts,
        purpose,
        next: 0,
        vectors: new Array(texts.length),
        missing: texts.length,
        resolve: (vectors) => settle(() => resolve(vectors)),
        reject: (reason) => settle(() => reject(reason)),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#open.add(call);
      this.#lanes[purpose].push(call);
    });
  }

  get isEmpty(): boolean {
    return this.#lanes.query.length + this.#lanes.passage.length === 0;
  }

  take(): Turn | undefined {
    const lane = this.#nextLane();
    const call = lane.shift();
    if (call === undefined) return undefined;
    const index = call.next++;
    if (call.next < call.texts.length) lane.push(call);
    return {
      text: call.texts[index] as string,
      resolve(vector) {
        call.vectors[index] = vector;
        call.missing -= 1;
        if (call.missing === 0) call.resolve(call.vectors);
      },
      reject: (reason) => this.#drop(call, reason),
    };
  }

  /** Rejects every pending call, including those in progress. */
  rejectAll(reason: unknown): void {
    for (const call of [...this.#open]) this.#drop(call, reason);
  }

  #nextLane(): Call[] {
    const { query, passage } = this.#lanes;
    const isTurnOfPassages = this.#queriesInARow >= QUERIES_IN_A_ROW && passage.length > 0;
    if (query.length === 0 || isTurnOfPassages) {
      this.#queriesInARow = 0;
      return passage;
    }
    this.#queriesInARow += 1;
    return query;
  }

  #drop(call: Call, reason: unknown): void {
    if (!this.#open.has(call)) return;
    const lane = this.#lanes[call.purpose];
    const position = lane.indexOf(call);
    if (position >= 0) lane.splice(position, 1);
    call.reject(reason);
  }
}
