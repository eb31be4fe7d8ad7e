import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type Settings, setAll, setEach } from './session-settings.js';

const names = new Map<string, string>();

/** One prepared statement per text and connection, so that parsing and planning happen once. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `m${createHash('sha256').update(text).digest('hex').slice(0, 20)}`;
    names.set(text, name);
  }
  return name;
}

/**
 * Sends everything written in one tick in one write: system calls take a third of the time of a small request.
 * node-postgres' types do not include its connection.
 */
function corkUntilNextTick(client: PoolClient): void {
  const { stream } = (client as PoolClient & { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Longer than a statement takes to reach the server. */
export const longestWayMs = 300_000;

/** A reading of the server's clock, and the latest local time at which it can have been taken. */
interface Entered {
  serverMs: number;
  knownAt: number;
}

interface StatementOptions {
  prepares: boolean;
  isDistributed: boolean;
  /** How long to wait for a result before the connection is given up; undefined: for as long as it takes. */
  responseMs: number | undefined;
  tracer: Tracer | undefined;
  /** Is called when the transaction's work goes on: before a statement is sent, and when its rows have arrived. */
  onTurn(): void;
}

/**
 * The statements of one transaction. They are sent without waiting for each other (the connection pipelines) and run in
 * order; after a failure the database rejects the rest of the transaction.
 */
export class Statements {
  /** True if settings have to follow the statements to other nodes. */
  readonly isDistributed: boolean;
  readonly #client: PoolClient;
  readonly #prepares: boolean;
  readonly #limit: { query_timeout?: number };
  readonly #tracer: Tracer | undefined;
  readonly #onTurn: () => void;
  readonly #begunAt = performance.now();
  readonly #sent: Promise<unknown>[] = [];
  readonly #more: Promise<unknown>[] = [];
  #failure: { error: unknown } | undefined;
  #entering: Promise<unknown> | undefined;
  #entered: Entered | undefined;

  constructor(client: PoolClient, options: StatementOptions) {
    this.isDistributed = options.isDistributed;
    this.#client = client;
    this.#prepares = options.prepares;
    this.#limit = options.responseMs === undefined ? {} : { query_timeout: options.responseMs };
    this.#tracer = options.tracer;
    this.#onTurn = options.onTurn;
  }

  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    const result = await this.send<Row>(text, values);
    this.#onTurn();
    return result.rows;
  }

  /** Sends a statement whose rows are not needed; `flushed` reports its failure. */
  enqueue(text: string, values: unknown[] = []): void {
    void this.send(text, values).catch(() => undefined);
  }

  /** Sets settings until the end of the transaction. Queued. */
  set(settings: Settings): void {
    if (this.isDistributed) {
      // One text each, because all of a text would be taken to the other nodes; and no name, because texts have values.
      for (const text of setEach(settings)) void this.#send(text, [], false).catch(() => undefined);
      return;
    }
    this.enqueue(setAll(Object.keys(settings)), Object.values(settings));
  }

  /** Sends the statement that enters the transaction's scope. */
  enter(text: string, values: unknown[]): void {
    this.#entering = this.send<{ entered_ms?: number }>(text, values).then(
      ({ rows }) => {
        this.#entered = { serverMs: rows[0]?.entered_ms ?? Number.NaN, knownAt: performance.now() };
      },
      () => undefined,
    );
  }

  /** Waits until the server's clock is known. Only in transactions that write. */
  async entered(): Promise<void> {
    await this.#entering;
  }

  /**
   * Converts a local time, by `performance.now()`, to the server's clock. If that clock is known, the result is exact
   * or slightly early. Otherwise returns an upper bound of how long before the transaction's start the time was.
   */
  toServerTime(moment: number): { ms: number } | { beforeBeginMs: number } {
    if (this.#entered === undefined) return { beforeBeginMs: this.#begunAt - moment + longestWayMs };
    const { serverMs, knownAt } = this.#entered;
    return { ms: serverMs - (knownAt - moment) };
  }

  send<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<Row>> {
    return this.#send(text, values, this.#prepares);
  }

  #send<Row extends QueryResultRow>(text: string, values: unknown[], isNamed: boolean): Promise<QueryResult<Row>> {
    this.#onTurn();
    corkUntilNextTick(this.#client);
    const result = this.#trace(
      text,
      this.#client.query<Row>({
        ...(isNamed ? { name: statementName(text) } : {}),
        ...this.#limit,
        text,
        values,
      }),
    );
    const outcome = result.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#sent.push(outcome);
    return result;
  }

  /** Has the transaction wait for work that sends more, though its caller does not. */
  also(work: Promise<unknown>): void {
    work.catch(() => undefined);
    this.#more.push(work);
  }

  /** Waits for the work given to `also`. Throws its first failure. */
  async finished(): Promise<void> {
    for (let work = this.#more.shift(); work !== undefined; work = this.#more.shift()) await work;
  }

  /** Waits for everything that was sent. Throws the first failure, which caused any later ones. */
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
