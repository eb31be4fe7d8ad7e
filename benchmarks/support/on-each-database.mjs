import { Cleanups } from './cleanups.mjs';
import { startPostgresCluster } from './postgres-cluster.mjs';

/**
 * @typedef {import('./options.mjs').DatabaseKind} DatabaseKind
 *
 * @typedef {object} Place
 * @property {DatabaseKind} database
 * @property {string | undefined} databaseUrl undefined: embedded
 * @property {Cleanups} cleanups run when it is done with
 */

/**
 * Does something on each database, with a throw-away cluster for PostgreSQL; where that is not installed, this is said and the
 * process will fail.
 * @template Result
 * @param {readonly DatabaseKind[]} databases
 * @param {(place: Place) => Promise<Result>} run
 * @param {(results: Result[]) => void} [onResult] after each: whoever interrupts the second half keeps the first
 */
export async function onEachDatabase(databases, run, onResult = () => undefined) {
  /** @type {Result[]} */
  const results = [];
  for (const database of databases) {
    const cleanups = new Cleanups();
    try {
      const cluster = database === 'postgres' ? await startPostgresCluster() : undefined;
      if (database === 'postgres' && cluster === undefined) {
        console.error('postgres: PostgreSQL is not installed here, so this half of the benchmark did not run.');
        process.exitCode = 1;
        continue;
      }
      if (cluster !== undefined) cleanups.add(cluster.stop);
      results.push(await run({ database, databaseUrl: cluster?.url, cleanups }));
    } finally {
      await cleanups.run();
    }
    onResult(results);
  }
}
