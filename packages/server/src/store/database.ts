import { performance } from 'node:perf_hooks';
import type { Tracer } from '@opentelemetry/api';
import type { Pool, PoolClient } from 'pg';
import { type LoopMarks, noMarks } from '../ports/loop-marks.js';
import { HeldRead } from './held-read.js';
import { KeyedQueue } from './keyed-queue.js';
import { lockCall } from './locks.js';
import { type Settings, setAll, setEach } from './session-settings.js';
import { longestWayMs, Statements } from './statements.js';
import { isConnectionFailure, isErasedMeanwhile, isRetryable, toProblem, unreachable } from './to-problem.js';

export interface TransactionScope {
  /**
   * memhall_app: one tenant and user. memhall_worker, memhall_eraser: one tenant. memhall_importer: one tenant; adds
   * rows as given.
   */
  role: 'memhall_app' | 'memhall_worker' | 'memhall_eraser' | 'memhall_importer';
  tenantId: string;
  userId: string;
  workspaceId: string;
  noteOwners: readonly string[];
  namespaces: readonly string[];
  writableNamespaces: readonly string[];
  /** When the request arrived, by `performance.now()`. */
  since: number;
  operation: string;
}

/** A pg pool for either kind of database, and a way to close that database. */
export interface DatabaseConnection {
  kind: 'embedded' | 'postgres';
  pool: Pool;
  /** Connections that keep their session. Null if a pooler gives each transaction another one, and no direct URL is known. */
  sessions: Pool | null;
  /** False if sessions share one backend, or change: names of prepared statements would clash. */
  prepares: boolean;
  /** The time limits that every transaction sets, because sessions of a pooler do not have them. */
  limits: Settings;
  /** True if the tables are on several nodes: their settings have to follow the statements there. */
  isDistributed: boolean;
  /** How long to wait for the result of a statement before the connection counts as lost; undefined: for as long as it takes. */
  responseMs: number | undefined;
  /** True if no other process can have been working when it was opened. */
  alone: boolean;
  close(): Promise<void>;
}

const maxAttempts = 4;

const beginRead = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
/** Makes a distributed database take every SET LOCAL to the nodes that statements run on. */
const propagate = `SET LOCAL citus.propagate_set_commands = 'local'`;
const scopeNames = [
  ...(['jit', 'role', 'app.tenant_id', 'app.user_id', 'app.workspace_id'] as const),
  ...(['app.namespaces', 'app.writable_namespaces', 'app.note_owners'] as const),
];
const enterScope = setAll(scopeNames);
/** The time is read after the lock was acquired: nothing of this user can be erased from then on. */
const waitAlone = (key: string) =>
  `${lockCall('user', key)}, extract(epoch FROM clock_timestamp())::float8 * 1000 AS entered_ms`;
const enterScopeAlone = `${enterScope}, ${waitAlone(`$${scopeNames.length + 1}`)}`;

/**
 * Runs scoped transactions. Entering one costs no extra round trip: BEGIN and the scope are sent with the first
 * statement, and COMMIT with the last queued one.
 */
export class Database {
  readonly kind: 'embedded' | 'postgres';
  readonly #connection: DatabaseConnection;
  readonly #tracer: Tracer | undefined;
  readonly #marks: LoopMarks;
  /** The statements that set the limits of a transaction. */
  readonly #limits: string;
  readonly #writers = new KeyedQueue();
  #exactUntil = 0;

  constructor(connection: DatabaseConnection, options: { tracer?: Tracer | undefined; marks?: LoopMarks } = {}) {
    this.kind = connection.kind;
    this.#connection = connection;
    this.#limits = setEach(connection.limits).join('; ');
    this.#tracer = options.tracer;
    this.#marks = options.marks ?? noMarks;
  }

  /** True if no other process can have been working when it was opened. */
  get alone(): boolean {
    return this.#connection.alone;
  }

  /** True if the tables are on several nodes. */
  get isDistributed(): boolean {
    return this.#connection.isDistributed;
  }

  get pool(): Pool {
    return this.#connection.pool;
  }

  /** Connections that keep their session; null if there are none: see `DatabaseConnection`. */
  get sessions(): Pool | null {
    return this.#connection.sessions;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  read<T>(scope: TransactionScope, work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#withClient((client, release) => this.#readOnce(client, release, scope, work));
  }

  /** Reads if the connection is ready, which is asked before the transaction begins; otherwise returns undefined. */
  readWhen<T>(
    scope: TransactionScope,
    isReady: (client: PoolClient) => Promise<boolean>,
    work: (statements: Statements) => Promise<T>,
  ): Promise<{ result: T } | undefined> {
    return this.#withClient(async (client, release) => {
      if (await isReady(client)) return { result: await this.#readOnce(client, release, scope, work) };
      release();
      return undefined;
    });
  }

  async #readOnce<T>(
    client: PoolClient,
    release: (error?: unknown) => void,
    scope: TransactionScope,
    work: (statements: Statements) => Promise<T>,
  ): Promise<T> {
    const statements = this.#begin(client, beginRead, scope);
    const result = await work(statements);
    // Nothing can be lost, so the result does not wait for the end of the transaction; only the connection does.
    const ended = client.query('COMMIT').then(() => release(), release);
    await statements.flushed();
    void ended;
    return result;
  }

  /** Begins a read that lasts until it is ended, however long it stays idle. */
  hold(scope: TransactionScope): Promise<HeldRead> {
    return this.#withClient(async (client, release) => {
      const statements = this.#begin(client, beginRead, scope);
      statements.set({ idle_in_transaction_session_timeout: '0' });
      await statements.flushed();
      return new HeldRead(() => this.#statements(client, scope), release);
    });
  }

  /**
   * Writers of one user queue within this process first, so that a busy user occupies one connection and not the whole
   * pool. The advisory lock orders them against other processes.
   */
  write<T>(scope: TransactionScope, work: (statements: Statements) => Promise<T>): Promise<T> {
    const key = `${scope.tenantId}\n${scope.userId}`;
    return this.#writers.run(key, () => this.#retrying((exact) => this.#writeOnce(scope, key, work, exact)));
  }

  /** A write that waits for no other one but for locks on the same rows. */
  count<T>(scope: TransactionScope, work: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#retrying(() =>
      this.#withClient((client, release) => {
        const statements = this.#begin(client, 'BEGIN', scope);
        return this.#commit(statements, work, release);
      }),
    );
  }

  #writeOnce<T>(
    scope: TransactionScope,
    key: string,
    work: (statements: Statements) => Promise<T>,
    exact: boolean,
  ): Promise<T> {
    return this.#withClient(async (client, release) => {
      const statements = this.#begin(client, 'BEGIN', scope, key);
      if (exact) await statements.entered();
      return this.#commit(statements, work, release);
    });
  }

  async #commit<T>(
    statements: Statements,
    work: (statements: Statements) => Promise<T>,
    release: () => void,
  ): Promise<T> {
    const result = await work(statements);
    await statements.finished();
    const commit = statements.send('COMMIT', []);
    await statements.flushed();
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    release();
    return result;
  }

  /** Begins a transaction in a scope. With a key, it waits for the others with that key. */
  #begin(client: PoolClient, begin: string, scope: TransactionScope, key?: string): Statements {
    const { isDistributed, limits } = this.#connection;
    const statements = this.#statements(client, scope);
    const settings = settingsOf(scope);
    if (isDistributed) {
      statements.enqueue(begin);
      statements.enqueue(propagate);
      statements.set({ ...limits, ...settings });
      if (key !== undefined) statements.enter(`SELECT ${waitAlone('$1')}`, [key]);
      return statements;
    }
    statements.enqueue(this.#limits === '' ? begin : `${begin}; ${this.#limits}`);
    const values = scopeNames.map((name) => settings[name]);
    if (key === undefined) statements.enter(enterScope, values);
    else statements.enter(enterScopeAlone, [...values, key]);
    return statements;
  }

  #statements(client: PoolClient, { role, operation }: TransactionScope): Statements {
    const { prepares, isDistributed } = this.#connection;
    const responseMs = role === 'memhall_eraser' ? undefined : this.#connection.responseMs;
    const onTurn = () => this.#marks.mark(operation);
    return new Statements(client, { prepares, isDistributed, responseMs, tracer: this.#tracer, onTurn });
  }

  async #withClient<T>(use: (client: PoolClient, release: (error?: unknown) => void) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw unreachable(error);
    }
    let released = false;
    const release = (error?: unknown) => {
      if (released) return;
      released = true;
      client.release(error instanceof Error ? error : undefined);
    };
    try {
      return await use(client, release);
    } catch (error) {
      if (!released) await rollBack(client, error, release);
      throw toProblem(error);
    }
  }

  /**
   * A first attempt avoids a round trip and knows only roughly when its request arrived on the server's clock. If it is
   * rejected as older than an erasure, it is retried with the exact time. For a while after that, all writes in this
   * process use the exact time from the start. That time is early by as long as the server's response took, so a write
   * that arrived just after an erasure may need several attempts; one that arrived before is rejected by all of them.
   */
  async #retrying<T>(attempt: (exact: boolean) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const exact = tries > 1 || performance.now() < this.#exactUntil;
      try {
        return await attempt(exact);
      } catch (error) {
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
        const maybeLater = isErasedMeanwhile(cause);
        if (maybeLater && !exact) this.#exactUntil = performance.now() + longestWayMs;
        if (tries >= maxAttempts || !(maybeLater || isRetryable(cause))) throw error;
      }
    }
  }
}

/** What a transaction may read and write. */
export function namespaceSettings(namespaces: readonly string[], writable: readonly string[]) {
  return { 'app.namespaces': namespaces.join('\n'), 'app.writable_namespaces': writable.join('\n') };
}

/** Compiling a statement takes longer than running it: row-level security makes the planner expect far more rows than there are. */
function settingsOf(scope: TransactionScope): Record<(typeof scopeNames)[number], string> {
  return {
    jit: 'off',
    role: scope.role,
    'app.tenant_id': scope.tenantId,
    'app.user_id': scope.userId,
    'app.workspace_id': scope.workspaceId,
    ...namespaceSettings(scope.namespaces, scope.writableNamespaces),
    'app.note_owners': scope.noteOwners.join('\n'),
  };
}

async function rollBack(client: PoolClient, error: unknown, release: (error?: unknown) => void): Promise<void> {
  try {
    await client.query('ROLLBACK');
    release();
  } catch (failure) {
    release(isConnectionFailure(error) ? error : failure);
  }
}
