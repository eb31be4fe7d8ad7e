import type { PGlite } from '@electric-sql/pglite';

const readyForQuery = 0x5a;
const longMs = 2 ** 30;
const rollback = Buffer.from('Q\0\0\0\rROLLBACK\0', 'latin1');

/**
 * Lets several wire-protocol sessions share PGlite's single backend. A session in a transaction keeps the backend until
 * the transaction ends; the others wait in order of arrival.
 */
export class PgliteGate {
  readonly #pglite: PGlite;
  readonly #waiting: { session: PgliteSession; enter: () => void }[] = [];
  #owner: PgliteSession | undefined;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  openSession(): PgliteSession {
    return new PgliteSession(this);
  }

  /** Runs complete frontend messages and returns the backend's messages. */
  async execute(session: PgliteSession, messages: Uint8Array): Promise<Uint8Array> {
    if (this.#owner !== session) await this.#acquire(session);
    try {
      const answer = await run(this.#pglite, messages);
      if (isIdle(answer)) this.#release();
      return answer;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Ends a session; a transaction it left open is rolled back. */
  async abandon(session: PgliteSession): Promise<void> {
    if (this.#owner !== session) return;
    try {
      await run(this.#pglite, rollback);
    } finally {
      this.#release();
    }
  }

  async #acquire(session: PgliteSession): Promise<void> {
    if (this.#owner === undefined) {
      this.#owner = session;
      return;
    }
    // The owner may be another process, whose socket alone does not keep this one alive.
    const waiting = setInterval(() => undefined, longMs);
    await new Promise<void>((enter) => this.#waiting.push({ session, enter }));
    clearInterval(waiting);
  }

  #release(): void {
    const next = this.#waiting.shift();
    this.#owner = next?.session;
    next?.enter();
  }
}

export class PgliteSession {
  readonly #gate: PgliteGate;

  constructor(gate: PgliteGate) {
    this.#gate = gate;
  }

  execute(messages: Uint8Array): Promise<Uint8Array> {
    return this.#gate.execute(this, messages);
  }

  end(): Promise<void> {
    return this.#gate.abandon(this);
  }
}

/** Avoids `execProtocolRaw`, which also parses every response and keeps the parsed data forever. */
async function run(pglite: PGlite, messages: Uint8Array): Promise<Buffer> {
  const parts: Buffer[] = [];
  // The data must be copied: it points into the backend's memory, which will be overwritten.
  const onRawData = (part: Uint8Array) => parts.push(Buffer.from(part));
  await withUnreferencedTimers(() => pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData }));
  return Buffer.concat(parts);
}

/**
 * PostgreSQL sets timers for its own housekeeping, and PGlite makes them timers of the process, which would then never
 * end by itself. A query runs synchronously, so no other code sees the changed function.
 */
function withUnreferencedTimers<T>(start: () => T): T {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((work: () => void, ms?: number) => setTimeout(work, ms).unref()) as typeof setTimeout;
  try {
    return start();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}

/** Returns whether the last message is ReadyForQuery outside a transaction: type, length 5, status 'I'. */
function isIdle(answer: Uint8Array): boolean {
  const at = answer.length - 6;
  return at >= 0 && answer[at] === readyForQuery && answer[at + 4] === 5 && answer[at + 5] === 0x49;
}
