import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { ReadReplica } from '../../ports/read-replica.js';
import type { Scope, Tables } from '../../ports/store.js';
import type { Database } from '../database.js';
import { toProblem } from '../to-problem.js';
import { PrimaryPositions, readStandbyPosition, readSystemId } from './log-positions.js';
import { readWhen } from './postgres-store.js';

const pollMs = 2;

interface ReplicaOptions {
  /** How long to wait for a standby that is behind. */
  waitMs: number;
  /** Connects to the standby; called again after a failure. */
  open(): Promise<Database>;
}

/** A standby that follows by streaming replication. */
export class PostgresReadReplica implements ReadReplica {
  readonly #positions: PrimaryPositions;
  readonly #primary: Database;
  readonly #options: ReplicaOptions;
  #opening: Promise<Database> | undefined;

  constructor(primary: Database, options: ReplicaOptions) {
    this.#primary = primary;
    this.#positions = new PrimaryPositions(primary.pool);
    this.#options = options;
  }

  async read<T>(scope: Scope, freshAtMs: number, work: (tables: Tables) => Promise<T>) {
    const standby = await this.#open();
    return readWhen(standby, scope, (client) => this.#catchesUp(client, freshAtMs), work);
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    await opened?.close();
  }

  #open(): Promise<Database> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<Database> {
    const standby = await this.#options.open();
    try {
      const [own, other] = await Promise.all([readSystemId(this.#primary.pool), readSystemId(standby.pool)]);
      if (own === other) return standby;
      throw new Error('MEMHALL_READ_DATABASE_URL is no standby of DATABASE_URL: it was created independently');
    } catch (error) {
      await standby.close();
      throw toProblem(error);
    }
  }

  /** Both servers are asked at the same time: most often, the standby has caught up before the primary has answered. */
  async #catchesUp(client: ClientBase, freshAtMs: number): Promise<boolean> {
    const deadline = performance.now() + this.#options.waitMs;
    const [wanted, first] = await Promise.all([this.#positions.since(freshAtMs), readStandbyPosition(client)]);
    for (let reached = first; ; reached = await readStandbyPosition(client)) {
      if (reached === undefined || reached.timeline !== wanted.timeline) return false;
      if (reached.bytes >= wanted.bytes) return true;
      if (performance.now() >= deadline) return false;
      await sleep(pollMs);
    }
  }
}
