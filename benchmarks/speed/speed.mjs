import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cleanups } from '../support/cleanups.mjs';
import { startPostgresCluster } from '../support/postgres-cluster.mjs';
import { Progress } from '../support/progress.mjs';
import { describeMachine, writeResult } from '../support/report.mjs';
import { measureSize } from './measure-size.mjs';
import { interrupted, Participant } from './participant.mjs';
import { systems } from './systems.mjs';
import { printTables } from './tables.mjs';
import { prepareVectors } from './vectors.mjs';

/** In favour of the peers: buffers for all tables of a run, and no JIT compilation of queries that take milliseconds. */
const postgresSettings = ['shared_buffers=4GB', 'jit=off'];
const usersOfFirstRecalls = 20;

/** @param {import('./options.mjs').SpeedOptions} options */
export async function runSpeed(options) {
  const cleanups = new Cleanups();
  try {
    const directory = mkdtempSync(join(tmpdir(), 'memhall-speed-'));
    cleanups.add(async () => rmSync(directory, { recursive: true, force: true }));
    const vectorsFile = await prepare(options);
    const wantsPostgres = options.systems.some((name) => systems[name]?.storage === 'postgres');
    const cluster = wantsPostgres ? await startPostgresCluster(postgresSettings) : undefined;
    if (cluster !== undefined) cleanups.add(cluster.stop);

    const { root, endToEnd } = options;
    const opening = { directory, clusterUrl: cluster?.url, vectorsFile, root, endToEnd };
    const { participants, missing } = await openAll(options.systems, opening, cleanups);
    const results = await measureAll(options, participants);
    if (participants.some(({ failure }) => failure === interrupted)) return;
    for (const { name, failure } of participants) if (failure !== undefined) missing[name] = failure;
    const machine = { ...describeMachine(), postgresql: cluster?.version ?? null };
    printTables(options, results, missing);
    const { sizes, manyUsers, callers, rounds, seconds, warmUpSeconds } = options;
    const setting = { endToEnd, sizes, manyUsers, callers, rounds, seconds, warmUpSeconds, postgresSettings };
    const file = writeResult(`speed-${options.name}`, { machine, peers: peerVersions(), setting, missing, results });
    console.log(`Written to ${file}.`);
  } finally {
    await cleanups.run();
  }
}

/** @param {import('./options.mjs').SpeedOptions} options */
async function prepare({ root, sizes, endToEnd }) {
  const largest = endToEnd ? 0 : (sizes.at(-1) ?? 0);
  /** @type {Progress | undefined} */
  let progress;
  const onProgress = (/** @type {number} */ done, /** @type {number} */ total) => {
    if (progress === undefined) {
      progress = new Progress('speed', Math.ceil(total / 64));
      progress.step(`embedding ${total} texts, once`);
    }
    progress.advance(`embedded ${done} of ${total} texts`);
  };
  const file = await prepareVectors({ root, largest, onProgress });
  progress?.finish();
  return file;
}

/**
 * @param {string[]} names
 * @param {Parameters<typeof Participant.open>[1]} opening
 * @param {Cleanups} cleanups
 */
async function openAll(names, opening, cleanups) {
  const participants = [];
  /** @type {Record<string, string>} */
  const missing = {};
  for (const name of names) {
    try {
      const participant = await Participant.open(name, opening);
      cleanups.add(() => participant.stop());
      participants.push(participant);
    } catch (error) {
      missing[name] = /** @type {Error} */ (error).message.split('\n')[0] ?? '';
      console.error(`${name} is not measured: ${missing[name]}`);
    }
  }
  return { participants, missing };
}

/**
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {Participant[]} participants
 */
async function measureAll(options, participants) {
  const turns = options.sizes.length * (participants.length + options.rounds * rowsOf(options, participants));
  const progress = new Progress('speed', turns);
  const results = [];
  let before = 0;
  for (const size of options.sizes) {
    const users = options.manyUsers ? { firstUser: before / 1000, users: (size - before) / 1000 } : oneUser;
    const step = { size, before, ...users, usersOfFirstRecalls };
    results.push({ size, rows: await measureSize(options, participants, step, progress) });
    before = size;
  }
  progress.finish();
  return results;
}

const oneUser = { firstUser: 0, users: 1 };

/**
 * Returns the number of turns in one round: single adds for each number of callers, batch adds, and every recall mode.
 * @param {import('./options.mjs').SpeedOptions} options
 * @param {Participant[]} participants
 */
function rowsOf({ callers }, participants) {
  const modes = participants.reduce((sum, { modes }) => sum + modes.length, 0);
  return participants.length * (callers.length + 1) + modes * callers.length;
}

/** @returns {Record<string, string>} */
function peerVersions() {
  return JSON.parse(readFileSync(new URL('../peers/package.json', import.meta.url), 'utf8')).dependencies;
}
