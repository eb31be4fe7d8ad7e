import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';

const names = new Map<string, string>();

/** One prepared statement per text and connection: parsing and planning are paid once. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `m${createHash('sha256').update(text).digest('hex').slice(0, 20)}`;
    names.set(text, name);
  }
  return name;
}

/**
 * What is sent in one tick goes out in one write: system calls are a third of a small request's time.
 * node-postgres' types leave its connection out.
 */
function corkUntilNextTick(client: PoolClient): void {
  const { stream } = (client as PoolClient & { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Longer than a statement takes to the server. */
export const longestWayMs = 300_000;

/** What the clock of the server said, and by when of this process at the latest. */
interface Entered {
  serverMs: number;
  knownAt: number;
}

/**
 * The statements of one transaction. They go out without waiting for each other (the connection pipelines) and run in
 * order; after a failure the database refuses the rest of the transaction.
 */
export class Statements {
  readonly #client: PoolClient;
  readonly #prepares: boolean;
  readonly #tracer: Tracer | undefined;
  readonly #begunAt = performance.now();
  readonly #sent: Promise<unknown>[] = [];
  #failure: { error: unknown } | undefined;
  #entering: Promise<unknown> | undefined;
  #entered: Entered | undefined;

  constructor(client: PoolClient, options: { prepares: boolean; tracer: Tracer | undefined }) {
    this.#client = client;
    this.#prepares = options.prepares;
    this.#tracer = options.tracer;
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const result = await this.send<Row>(text, values);
    return result.rows;
  }

  /** Sends a statement whose rows are not needed. `flushed` reports its failure. */
  enqueue(text: string, values: unknown[] = []): void {
    void this.send(text, values).catch(() => undefined);
  }

  /** Sends the statement that the transaction begins with. */
  enter(text: string, values: unknown[]): void {
    this.#entering = this.send<{ entered_ms?: number }>(text, values).then(
      ({ rows }) => {
        this.#entered = { serverMs: rows[0]?.entered_ms ?? Number.NaN, knownAt: performance.now() };
      },
      () => undefined,
    );
  }

  /** Waits until the clock of the server is known. Only in transactions that write. */
  async entered(): Promise<void> {
    await this.#entering;
  }

  /**
   * A moment of this process, by `performance.now()`, on the server's clock: exact or a little early, where that clock is known, else
   * how long before the transaction's own time it was at the most.
   */
  toServerTime(moment: number): { ms: number } | { beforeBeginMs: number } {
    if (this.#entered === undefined) return { beforeBeginMs: this.#begunAt - moment + longestWayMs };
    const { serverMs, knownAt } = this.#entered;
    return { ms: serverMs - (knownAt - moment) };
  }

  send<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<Row>> {
    corkUntilNextTick(this.#client);
    const result = this.#trace(
      text,
      this.#client.query<Row>({ ...(this.#prepares ? { name: statementName(text) } : {}), text, values }),
    );
    const outcome = result.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#sent.push(outcome);
    return result;
  }

  /** Waits for every statement that was sent. Throws the first failure, which is the cause of those after it. */
  async flushed(): Promise<void> {
    await Promise.all(this.#sent);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #trace<T>(text: string, result: Promise<T>): Promise<T> {
    if (this.#tracer === undefined) return result;
    const span = this.#tracer.startSpan('sql', {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    });
    return result.then(
      (value) => {
        span.end();
        return value;
      },
      (error: unknown) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        throw error;
      },
    );
  }
}
