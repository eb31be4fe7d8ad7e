import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startChild } from '../support/child.mjs';
import { systems } from './systems.mjs';

/** The failure of a system that was stopped during measurement. */
export const interrupted = 'interrupted';

/** The parent's view of one system in a run. */
export class Participant {
  #child = startChild('../speed/worker.mjs');
  #databaseUrl;
  #emptyBytes = 0;
  name;
  /** Why it was dropped from the run. @type {string | undefined} */
  failure;

  /**
   * @param {string} name
   * @param {string | undefined} databaseUrl this system's own database
   */
  constructor(name, databaseUrl) {
    this.name = name;
    this.#databaseUrl = databaseUrl;
  }

  get modes() {
    return systems[this.name]?.modes ?? [];
  }

  /**
   * @param {string} name
   * @param {{ directory: string, clusterUrl: string | undefined, vectorsFile: string, root: string, endToEnd: boolean }} options
   */
  static async open(name, { directory, clusterUrl, ...rest }) {
    const own = join(directory, name);
    mkdirSync(own);
    const databaseUrl = systems[name]?.storage === 'postgres' ? await createDatabase(clusterUrl, name) : undefined;
    const participant = new Participant(name, databaseUrl);
    try {
      await participant.#child.call('open', { name, directory: own, databaseUrl, ...rest });
      participant.#emptyBytes = (await participant.#storedBytes()) ?? 0;
      return participant;
    } catch (error) {
      await participant.stop();
      throw error;
    }
  }

  /**
   * Returns undefined from the first failure on. A failure is reported, and the other systems continue.
   * @param {string} operation
   * @param {object} input
   */
  async call(operation, input) {
    if (this.failure !== undefined) return undefined;
    try {
      return await this.#child.call(operation, input);
    } catch (error) {
      if (this.failure !== undefined) return undefined;
      this.failure = `${operation} failed: ${/** @type {Error} */ (error).message.split('\n')[0]}`;
      console.error(`${this.name}: ${this.failure}`);
      return undefined;
    }
  }

  /** Updates the planner's statistics, as PostgreSQL's autovacuum would do a little later. */
  async tidy() {
    if (this.#databaseUrl !== undefined && this.failure === undefined) await query(this.#databaseUrl, 'VACUUM ANALYZE');
  }

  /**
   * Returns undefined for a system that stores nothing.
   * @param {number} memories
   */
  async bytesPerMemory(memories) {
    const bytes = await this.#storedBytes();
    return bytes === undefined ? undefined : (bytes - this.#emptyBytes) / memories;
  }

  /** @returns {Promise<number | undefined>} */
  async #storedBytes() {
    if (systems[this.name]?.storage === 'process') return undefined;
    const files = await this.#child.call('fileBytes', {});
    if (this.#databaseUrl === undefined) return files;
    const [row] = await query(this.#databaseUrl, 'SELECT pg_database_size(current_database()) AS bytes');
    return files + Number(row?.bytes);
  }

  /** Can be called during a call, when the run is interrupted. */
  stop() {
    this.failure ??= interrupted;
    return this.#child.stop();
  }
}

/**
 * @param {string | undefined} clusterUrl
 * @param {string} name
 */
async function createDatabase(clusterUrl, name) {
  if (clusterUrl === undefined)
    throw new Error('PostgreSQL with pgvector is not installed: scripts/install-postgres.sh');
  const database = name.replaceAll('-', '_');
  await query(clusterUrl, `CREATE DATABASE ${database}`);
  const url = new URL(clusterUrl);
  url.pathname = `/${database}`;
  await query(url.href, 'CREATE EXTENSION vector');
  return url.href;
}

/**
 * @param {string} url
 * @param {string} text
 * @returns {Promise<Record<string, unknown>[]>}
 */
async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
