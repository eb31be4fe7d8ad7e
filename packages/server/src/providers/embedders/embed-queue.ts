import type { EmbedOptions, EmbedPurpose } from '../../ports/embedder.js';

/** Calls of passages up to this long are somebody's write: short, and waited for like a query. */
const SHORT_CALL = 4;
/** After this many texts of queries and short calls in a row, a long call gets a turn. */
const SHORT_IN_A_ROW = 8;

type Lane = 'short' | 'long';

interface Call {
  texts: readonly string[];
  lane: Lane;
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

/**
 * Hands out the texts of overlapping calls one by one: queries and short calls first, in the order in which they came; calls of several texts
 * in rotation. If queries were before short calls, these would wait for all queries that come later: at 80 % of what the model can do,
 * ten times as long as without.
 */
export class EmbedQueue {
  readonly #lanes: Record<Lane, Call[]> = { short: [], long: [] };
  readonly #open = new Set<Call>();
  #shortInARow = 0;

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
        lane: laneOf(texts, purpose),
        next: 0,
        vectors: new Array(texts.length),
        missing: texts.length,
        resolve: (vectors) => settle(() => resolve(vectors)),
        reject: (reason) => settle(() => reject(reason)),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#open.add(call);
      this.#lanes[call.lane].push(call);
    });
  }

  /** Number of calls with texts that were not handed out yet. */
  get length(): number {
    return this.#lanes.short.length + this.#lanes.long.length;
  }

  get isEmpty(): boolean {
    return this.length === 0;
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
    const { short, long } = this.#lanes;
    const isTurnOfLong = this.#shortInARow >= SHORT_IN_A_ROW && long.length > 0;
    if (short.length === 0 || isTurnOfLong) {
      this.#shortInARow = 0;
      return long;
    }
    this.#shortInARow += 1;
    return short;
  }

  #drop(call: Call, reason: unknown): void {
    if (!this.#open.has(call)) return;
    const lane = this.#lanes[call.lane];
    const position = lane.indexOf(call);
    if (position >= 0) lane.splice(position, 1);
    call.reject(reason);
  }
}

function laneOf(texts: readonly string[], purpose: EmbedPurpose): Lane {
  return purpose === 'query' || texts.length <= SHORT_CALL ? 'short' : 'long';
}
