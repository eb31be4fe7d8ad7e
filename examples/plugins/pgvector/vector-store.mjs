import pg from 'pg';
import { demand, refuse } from '../flat-file/requests.mjs';
import { tablesOf } from './tables.mjs';

/** Data that PostgreSQL rejects, such as a NUL character or a number that does not fit into a vector. */
const rejectedData = /^(22|54)/;
/** No connection, too many connections, or shutting down. */
const unavailable = /^(08|53|57P)/;
const isLive = (/** @type {string} */ table) => `(${table}.expires_at IS NULL OR ${table}.expires_at > now())`;
const toVector = (/** @type {number[] | undefined} */ numbers) => (numbers === undefined ? null : `[${numbers}]`);
const toJson = (/** @type {object | undefined} */ value) => (value === undefined ? null : JSON.stringify(value));
// CASE keeps vectors of different lengths from being compared. The similarity of a zero vector is NaN, which is not <= 2.
const isComparable =
  'CASE WHEN vector_dims(m.embedding) = vector_dims($4::vector) THEN m.embedding <=> $4::vector <= 2 END';
const noNamespace = () => refuse(404, 'not_found', 'There is no such namespace.');
const livesElsewhere = () => refuse(403, 'forbidden', 'The memory with this id is in another namespace.');

/** @typedef {(sql: string, values: unknown[]) => Promise<Record<string, any>[]>} Query */

/** Memories in PostgreSQL, compared by the cosine of their vectors. @implements {Store} @typedef {import('../store.js').Store} Store */
export class VectorStore {
  #pool;

  /** @param {string | undefined} url @param {string} schema */
  static async open(url, schema) {
    const pool = new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: 1500,
      // The extension may be in any schema; it is usually in public.
      options: `-c search_path=${schema},public -c statement_timeout=10000`,
    });
    pool.on('error', (error) => console.error(error.message));
    await pool.query(tablesOf(schema));
    return new VectorStore(pool);
  }

  /** @param {pg.Pool} pool */
  constructor(pool) {
    this.#pool = pool;
  }

  close() {
    return this.#pool.end();
  }

  isWorking() {
    return this.#pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** @param {string} name @param {import('../store.js').NamespaceFields} fields */
  putNamespace(name, { kind, expires_at, metadata }) {
    return this.#transact(async (query) => {
      await query(`DELETE FROM namespaces AS n WHERE name = $1 AND NOT ${isLive('n')}`, [name]);
      const [row] = await query(
        `INSERT INTO namespaces (name, kind, expires_at, metadata) VALUES ($1, $2, $3, $4) ON CONFLICT (name)
         DO UPDATE SET kind = excluded.kind, expires_at = excluded.expires_at, metadata = excluded.metadata RETURNING *`,
        [name, kind, expires_at, toJson(metadata)],
      );
      return toNamespace(row);
    });
  }

  /** @param {string} name @param {Partial<import('../store.js').NamespaceFields>} changes */
  async changeNamespace(name, changes) {
    const [row] = await this.#query(
      `UPDATE namespaces AS n SET expires_at = CASE WHEN $2 THEN $3::timestamptz ELSE expires_at END,
         metadata = CASE WHEN $4 THEN $5 ELSE metadata END
       WHERE name = $1 AND ${isLive('n')} RETURNING *`,
      [name, 'expires_at' in changes, changes.expires_at, 'metadata' in changes, toJson(changes.metadata)],
    );
    return row === undefined ? noNamespace() : toNamespace(row);
  }

  /** @param {string} name */
  async deleteNamespace(name) {
    const sql = `DELETE FROM namespaces AS n WHERE name = $1 AND ${isLive('n')} RETURNING name`;
    const [row] = await this.#query(sql, [name]);
    if (row === undefined) noNamespace();
  }

  /** @param {string} namespace @param {string | undefined} id @param {import('../store.js').Fields} fields */
  write(namespace, id, { content, kind, source, pin, expires_at, propagation, embedding }) {
    demand(content.isWellFormed(), 'content contains half a surrogate pair.');
    return this.#transact(async (query) => {
      // The lock keeps the namespace from being deleted until the memory is in it.
      const found = await query(`SELECT FROM namespaces AS n WHERE name = $1 AND ${isLive('n')} FOR KEY SHARE`, [
        namespace,
      ]);
      if (found.length === 0) noNamespace();
      await query(
        `DELETE FROM memories AS m USING namespaces AS n WHERE m.id = $1 AND n.name = m.namespace
           AND NOT (${isLive('m')} AND ${isLive('n')})`,
        [id],
      );
      const [row] = await query(
        `INSERT INTO memories (id, namespace, content, kind, source, pin, expires_at, propagation, embedding)
         VALUES (coalesce($1, gen_random_uuid()), $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO UPDATE SET
           content = excluded.content, kind = excluded.kind, source = excluded.source, pin = excluded.pin,
           expires_at = excluded.expires_at, propagation = excluded.propagation, embedding = excluded.embedding
         WHERE memories.namespace = excluded.namespace RETURNING id, namespace`,
        [id, namespace, content, kind, source, pin === true, expires_at, toJson(propagation), toVector(embedding)],
      );
      return row ?? livesElsewhere();
    });
  }

  /** @param {string} id @param {string} namespace */
  forget(id, namespace) {
    return this.#transact(async (query) => {
      const [row] = await query(
        `SELECT m.namespace FROM memories AS m JOIN namespaces AS n ON n.name = m.namespace
         WHERE m.id = $1 AND ${isLive('m')} AND ${isLive('n')} FOR UPDATE OF m`,
        [id],
      );
      if (row === undefined) refuse(404, 'not_found', 'There is no such memory.');
      if (row.namespace !== namespace) livesElsewhere();
      await query('DELETE FROM memories WHERE id = $1', [id]);
    });
  }

  /**
   * Compares all vectors of the namespaces: exact, and fast up to some hundred thousand. Beyond that, give the column a
   * length and an HNSW index, and set hnsw.iterative_scan so that the filters do not empty the results.
   * @param {import('../store.js').Search} search
   */
  async search({ namespaces, embedding, kinds, limit }) {
    const isByVector = embedding !== undefined;
    const order = isByVector ? 'm.embedding <=> $4::vector' : 'm.created_at DESC, m.seq DESC';
    const rows = await this.#query(
      `SELECT m.*, CASE WHEN $4::vector IS NOT NULL THEN 1 - (m.embedding <=> $4::vector) END AS score
       FROM memories AS m JOIN namespaces AS n ON n.name = m.namespace
       WHERE m.namespace = ANY ($1) AND ${isLive('m')} AND ${isLive('n')} AND ($2::text[] IS NULL OR m.kind = ANY ($2))
         ${isByVector ? `AND ${isComparable}` : ''}
       ORDER BY m.pin DESC, ${order} LIMIT $3`,
      [namespaces, kinds?.length === 0 ? null : kinds, limit, toVector(embedding)],
    );
    return rows.map(toMemory);
  }

  /** @param {string} sql @param {unknown[]} values */
  #query(sql, values) {
    return this.#transact((query) => query(sql, values));
  }

  /** @template T @param {(query: Query) => Promise<T>} work */
  async #transact(work) {
    const client = await this.#pool.connect().catch(() => refuse(503, 'unavailable', 'The store is down.'));
    try {
      await client.query('BEGIN');
      const result = await work(async (sql, values) => (await client.query(sql, values)).rows);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      const { code = '' } = /** @type {{ code?: string }} */ (error);
      if (rejectedData.test(code)) refuse(400, 'bad_request', 'The database does not accept this value.');
      if (unavailable.test(code)) refuse(503, 'unavailable', 'The store is down.');
      throw error;
    } finally {
      client.release();
    }
  }
}

/** @param {Record<string, any> | undefined} row */
function toNamespace({ name, kind, expires_at, metadata, created_at } = {}) {
  return { name, kind, ...toOptional(expires_at, { metadata }), created_at: created_at.toISOString() };
}

/** @param {Record<string, any>} row */
function toMemory({ id, namespace, content, kind, source, pin, expires_at, propagation, created_at, score }) {
  return {
    ...{ id, namespace, content, kind, source, pin, ...toOptional(expires_at, { propagation }) },
    ...{ created_at: created_at.toISOString(), score: score ?? undefined },
  };
}

/** Leaves out what is not set. @param {Date | null} expiresAt @param {Record<string, string | null>} texts JSON */
function toOptional(expiresAt, texts) {
  const parsed = Object.entries(texts).flatMap(([name, json]) => (json === null ? [] : [[name, JSON.parse(json)]]));
  return { ...(expiresAt === null ? {} : { expires_at: expiresAt.toISOString() }), ...Object.fromEntries(parsed) };
}
