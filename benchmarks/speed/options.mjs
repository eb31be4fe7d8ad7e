import { fileURLToPath } from 'node:url';
import { parseWords, UsageError } from '../support/options.mjs';
import { systems } from './systems.mjs';

/**
 * @typedef {object} SpeedOptions
 * @property {string[]} systems
 * @property {number[]} sizes ascending
 * @property {boolean} manyUsers
 * @property {number[]} callers
 * @property {number} rounds
 * @property {number} seconds duration of each recall turn
 * @property {number} warmUpSeconds
 * @property {number} fillMinutes
 * @property {boolean} endToEnd
 * @property {string} name
 * @property {string} root
 */

const help = `Compare add and recall times of Memhall and other TypeScript memory libraries.

All of them get the same texts and vectors.

  npm run build
  (cd benchmarks/peers && npm ci && npm rebuild better-sqlite3 --ignore-scripts=false)
  node benchmarks/speed/run.mjs [options]

  --systems <list>   systems to measure, default all: ${Object.keys(systems).join(', ')}
  --sizes <list>     stored memories, default 1k,10k,100k; use 1m only for Memhall on PostgreSQL with --users many
  --users <1|many>   1: one user has all memories; many (default): every user has about 1,000
  --callers <list>   numbers of concurrent callers, default 1,16
  --rounds <n>       rounds, default 5; each system gets one turn per round, so that a noisy moment affects all of them
  --seconds <n>      duration of each recall turn, default 1; calls in progress are completed
  --warm-up <n>      seconds of untimed recalls for random users before the timed ones, default 3
  --fill-minutes <n> time limit to fill a system up to the next size, default 15; a slower system is then left out
  --end-to-end       measure 1,000 memories that every system embeds itself, with the same model
  --name <name>      name of the result file, benchmarks/results/speed-<name>.json; default from --users
  --memhall <dir>    measure another built checkout of Memhall
  -h, --help

A separate PostgreSQL with fsync on is started for the run. A peer that is not installed is reported and left out.
MEMHALL_RECALL_CACHE_MB is passed on to Memhall, which otherwise runs with its defaults.
`;

/**
 * Returns undefined if the help was requested and printed.
 * @param {string[]} words
 * @returns {SpeedOptions | undefined}
 */
export function readSpeedOptions(words) {
  const values = parse(words);
  if (values.help) {
    console.log(help);
    return undefined;
  }
  if (values.users !== '1' && values.users !== 'many') {
    throw new UsageError(`--users must be 1 or many, not "${values.users}".`);
  }
  const manyUsers = values.users === 'many';
  const endToEnd = values['end-to-end'];
  return {
    systems: values.systems === undefined ? Object.keys(systems) : values.systems.split(',').map(toSystem),
    sizes: endToEnd
      ? [1000]
      : values.sizes
          .split(',')
          .map(toSize)
          .sort((a, b) => a - b),
    manyUsers,
    callers: values.callers.split(',').map((text) => toNumber('--callers', text)),
    rounds: toNumber('--rounds', values.rounds),
    seconds: toNumber('--seconds', values.seconds),
    warmUpSeconds: toNumber('--warm-up', values['warm-up']),
    fillMinutes: toNumber('--fill-minutes', values['fill-minutes']),
    endToEnd,
    name: values.name ?? (endToEnd ? 'end-to-end' : manyUsers ? 'many-users' : 'one-user'),
    root: values.memhall ?? fileURLToPath(new URL('../..', import.meta.url)),
  };
}

/** @param {string[]} words */
function parse(words) {
  return parseWords({
    args: words,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      systems: { type: 'string' },
      sizes: { type: 'string', default: '1k,10k,100k' },
      users: { type: 'string', default: 'many' },
      callers: { type: 'string', default: '1,16' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1' },
      'warm-up': { type: 'string', default: '3' },
      'fill-minutes': { type: 'string', default: '15' },
      'end-to-end': { type: 'boolean', default: false },
      name: { type: 'string' },
      memhall: { type: 'string' },
    },
  }).values;
}

/** @param {string} name */
function toSystem(name) {
  if (systems[name] !== undefined) return name;
  throw new UsageError(`There is no system "${name}". Choose from ${Object.keys(systems).join(', ')}.`);
}

/** @param {string} text */
function toSize(text) {
  const [, digits, unit] = /^(\d+)([km]?)$/i.exec(text) ?? [];
  const size = Number(digits) * (unit === undefined || unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6);
  if (size >= 1000 && size <= 5e6 && size % 1000 === 0) return size;
  throw new UsageError(`--sizes must be multiples of 1000 such as 1k, 10k or 1m, up to 5m, not "${text}".`);
}

/**
 * @param {string} flag
 * @param {string} text
 */
function toNumber(flag, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 1000) return number;
  throw new UsageError(`${flag} must be whole numbers from 1 to 1000, not "${text}".`);
}
