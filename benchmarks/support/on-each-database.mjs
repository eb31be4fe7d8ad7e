import { Cleanups } from './cleanups.mjs';
import { startPostgresCluster } from './postgres-cluster.mjs';

/**
 * @typedef {import('./options.mjs').DatabaseKind} DatabaseKind
 *
 * @typedef {object} Place
 * @property {DatabaseKind} database
 * @property {string | undefined} databaseUrl undefined for the embedded database
 * @property {Cleanups} cleanups run when the measurement is done
 */

/**
 * Runs a measurement on each database, with a throw-away cluster for PostgreSQL. If PostgreSQL is not installed, reports
 * it and sets a failing exit code.
 * @template Result
 * @param {readonly DatabaseKind[]} databases
 * @param {(place: Place) => Promise<Result>} run
 * @param {(results: Result[]) => void} [onResult] called after each database, so that an interrupt keeps the first half
 */
export async function onEachDatabase(databases, run, onResult = () => undefined) {
  /** @type {Result[]} */
  const results = [];
  for (const database of databases) {
    const cleanups = new Cleanups();
    try {
      const cluster = database === 'postgres' ? await startPostgresCluster() : undefined;
      if (database === 'postgres' && cluster === undefined) {
        console.error('postgres: PostgreSQL is not installed, so this half of the benchmark did not run.');
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
