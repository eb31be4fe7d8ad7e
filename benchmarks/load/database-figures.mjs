import pg from 'pg';

/** Settings of the cluster that these figures need. */
export const neededSettings = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=10000',
  'track_wal_io_timing=off',
];

/**
 * @typedef {object} Totals since the server started
 * @property {number} statements
 * @property {number} walBytes
 * @property {number} walRecords
 * @property {number} walPages full pages, which the first change after a checkpoint writes
 */

/** What PostgreSQL says about itself. */
export class DatabaseFigures {
  #client;

  /** @param {string} url */
  constructor(url) {
    this.#client = new pg.Client({ connectionString: url });
  }

  async open() {
    await this.#client.connect();
    await this.#client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  }

  /** @returns {Promise<Totals>} */
  async totals() {
    const [one] = await this.#rows(
      `SELECT (SELECT sum(calls)::float8 FROM pg_stat_statements) AS statements, wal_bytes::float8 AS "walBytes",
              wal_records::float8 AS "walRecords", wal_fpi::float8 AS "walPages"
         FROM pg_stat_wal`,
    );
    return /** @type {Totals} */ (one);
  }

  async size() {
    const [one] = await this.#rows(`SELECT pg_database_size(current_database())::float8 AS bytes`);
    return Number(one?.bytes);
  }

  async connections() {
    const [one] = await this.#rows(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'memhall'`,
    );
    return Number(one?.count);
  }

  /** Returns the tables that change, with what their changes leave behind: an update that is not hot also writes every index. */
  tables() {
    return this.#rows(
      `SELECT relname AS "table", pg_total_relation_size(relid)::float8 AS bytes, pg_table_size(relid)::float8 AS "tableBytes",
              n_live_tup::float8 AS live, n_dead_tup::float8 AS dead, n_tup_ins::float8 AS inserts,
              n_tup_upd::float8 AS updates, n_tup_hot_upd::float8 AS "hotUpdates", n_tup_del::float8 AS deletes,
              autovacuum_count::float8 AS autovacuums
         FROM pg_stat_user_tables
        WHERE n_tup_ins + n_tup_upd + n_tup_del > 0
        ORDER BY pg_total_relation_size(relid) DESC`,
    );
  }

  /** Returns the statements that wrote most of the log since the last `forgetStatements`. */
  async writers() {
    return this.#rows(
      `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 160) AS statement, calls::float8, wal_bytes::float8 AS "walBytes",
              wal_records::float8 AS "walRecords", wal_fpi::float8 AS "walPages", total_exec_time AS ms
         FROM pg_stat_statements WHERE wal_bytes > 0 ORDER BY wal_bytes DESC LIMIT 15`,
    );
  }

  async forgetStatements() {
    await this.#rows('SELECT pg_stat_statements_reset()');
  }

  /** Brings statistics up to date and begins a new checkpoint, as time does between filling and use. */
  async settle() {
    await this.#rows('VACUUM ANALYZE');
    await this.#rows('CHECKPOINT');
  }

  close() {
    return this.#client.end();
  }

  /** @param {string} text */
  async #rows(text) {
    const { rows } = await this.#client.query(text);
    return /** @type {Record<string, any>[]} */ (rows);
  }
}
