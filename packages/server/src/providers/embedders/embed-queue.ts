import type { EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';
import { estimateTokens } from './estimate-tokens.js';

const BATCH_TEXTS = 16;
/** After this many consecutive batches of queries, waiting passages get one. */
const QUERY_BATCHES_IN_A_ROW = 8;

interface Call {
  texts: readonly string[];
  purpose: EmbedPurpose;
  /** Positions in `texts`, shortest first; those before `next` have been handed out. */
  order: { index: number; tokens: number }[];
  next: number;
  vectors: Float32Array[];
  missing: number;
  resolve(vectors: Float32Array[]): void;
  reject(reason: unknown): void;
}

interface BatchSize {
  limit: number;
  /** Tokens of the first and of the longest text. */
  first: number;
  longest: number;
}

interface Slot {
  call: Call;
  index: number;
}

interface EmbedBatch {
  readonly texts: string[];
  /** One vector per text, in order. */
  resolve(vectors: readonly Float32Array[]): void;
  /** Rejects every call that has a text in the batch. */
  reject(reason: unknown): void;
}

/**
 * Splits the texts of overlapping calls into small batches: queries first, calls in rotation, texts of similar length
 * together.
 */
export class EmbedQueue {
  readonly #lanes: Record<EmbedPurpose, Call[]> = { query: [], passage: [] };
  readonly #open = new Set<Call>();
  #queryBatches = 0;

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
        order: sortByLength(texts),
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

  /** @param batchTokens estimated number of padded word pieces per batch; a longer text is taken alone */
  take(batchTokens: number): EmbedBatch | undefined {
    const lane = this.#nextLane();
    const slots: Slot[] = [];
    const size: BatchSize = { limit: batchTokens, first: 0, longest: 0 };
    for (const call of [...lane]) this.#fill(slots, call, size);
    if (slots.length === 0) return undefined;
    this.#rotate(lane);
    return {
      texts: slots.map(({ call, index }) => call.texts[index] as string),
      resolve: (vectors) => deliver(slots, vectors),
      reject: (reason) => {
        for (const { call } of slots) this.#drop(call, reason);
      },
    };
  }

  /** Rejects every pending call, including those in progress. */
  rejectAll(reason: unknown): void {
    for (const call of [...this.#open]) this.#drop(call, reason);
  }

  #nextLane(): Call[] {
    const { query, passage } = this.#lanes;
    const passagesTurn = this.#queryBatches >= QUERY_BATCHES_IN_A_ROW && passage.length > 0;
    if (query.length === 0 || passagesTurn) {
      this.#queryBatches = 0;
      return passage;
    }
    this.#queryBatches += 1;
    return query;
  }

  #fill(slots: Slot[], call: Call, size: BatchSize): void {
    for (let entry = call.order[call.next]; entry !== undefined; entry = call.order[call.next]) {
      const longest = Math.max(size.longest, entry.tokens);
      if (slots.length > 0) {
        const isFull = slots.length >= BATCH_TEXTS || (slots.length + 1) * longest > size.limit;
        if (isFull || !areAlike(size.first, entry.tokens)) return;
      } else {
        size.first = entry.tokens;
      }
      size.longest = longest;
      slots.push({ call, index: entry.index });
      call.next += 1;
    }
  }

  #rotate(lane: Call[]): void {
    const first = lane.shift();
    if (first !== undefined) lane.push(first);
    const waiting = lane.filter((call) => call.next < call.order.length);
    lane.splice(0, lane.length, ...waiting);
  }

  #drop(call: Call, reason: unknown): void {
    if (!this.#open.has(call)) return;
    const lane = this.#lanes[call.purpose];
    const position = lane.indexOf(call);
    if (position >= 0) lane.splice(position, 1);
    call.reject(reason);
  }
}

function deliver(slots: readonly Slot[], vectors: readonly Float32Array[]): void {
  for (const [position, { call, index }] of slots.entries()) {
    call.vectors[index] = vectors[position] as Float32Array;
    call.missing -= 1;
    if (call.missing === 0) call.resolve(call.vectors);
  }
}

function sortByLength(texts: readonly string[]) {
  const order = texts.map((text, index) => ({ index, tokens: estimateTokens(text) }));
  return order.sort((a, b) => a.tokens - b.tokens);
}

function areAlike(a: number, b: number): boolean {
  return Math.abs(a - b) <= 4 + 0.25 * Math.min(a, b);
}
