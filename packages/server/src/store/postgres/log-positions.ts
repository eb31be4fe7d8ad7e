import { performance } from 'node:perf_hooks';
import type { ClientBase, Pool } from 'pg';

/** A place in the write-ahead log. Places on different timelines say nothing about each other. */
interface LogPosition {
  timeline: number;
  bytes: bigint;
}

/** Without synchronous commits, a write is acknowledged before it is flushed. */
const primaryPosition = `
  SELECT ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int AS timeline,
         (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
            ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::text AS bytes`;
/** The standby tells its timeline late after a failover: until then, nobody reads from it. */
const standbyPosition = `
  SELECT greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline) AS timeline,
         (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text AS bytes
  FROM pg_control_checkpoint() AS checkpoint, pg_control_recovery() AS recovery WHERE pg_is_in_recovery()`;

interface PositionRow {
  timeline: number;
  bytes: string | null;
}

/** Returns how far a standby has come; undefined if the server is none. */
export async function readStandbyPosition(client: ClientBase): Promise<LogPosition | undefined> {
  const { rows } = await client.query<PositionRow>(standbyPosition);
  const [row] = rows;
  return row === undefined || row.bytes === null ? undefined : { timeline: row.timeline, bytes: BigInt(row.bytes) };
}

export async function readSystemId(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>('SELECT system_identifier::text AS id FROM pg_control_system()');
  return rows[0]?.id ?? '';
}

interface Reading {
  startedAtMs: number;
  position: Promise<LogPosition>;
}

/** Asks the primary how long its log is. One question at a time, whose answer is for everybody who asked before it was sent. */
export class PrimaryPositions {
  readonly #pool: Pool;
  #last: Reading | undefined;
  #next: Promise<LogPosition> | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Returns a position that covers everything that was acknowledged before a time. */
  async since(ms: number): Promise<LogPosition> {
    if (this.#last !== undefined && this.#last.startedAtMs >= ms) return this.#last.position;
    this.#next ??= this.#readAfter(this.#last?.position);
    return this.#next;
  }

  async #readAfter(running: Promise<LogPosition> | undefined): Promise<LogPosition> {
    await running?.catch(() => undefined);
    this.#next = undefined;
    this.#last = { startedAtMs: performance.now(), position: this.#read() };
    return this.#last.position;
  }

  async #read(): Promise<LogPosition> {
    const { rows } = await this.#pool.query<PositionRow>(primaryPosition);
    const [row] = rows;
    if (row === undefined || row.bytes === null) throw new Error('the primary does not tell its position');
    return { timeline: row.timeline, bytes: BigInt(row.bytes) };
  }
}
