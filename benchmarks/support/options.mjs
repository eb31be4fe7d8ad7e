import { parseArgs } from 'node:util';

/**
 * @typedef {'embedded' | 'postgres'} DatabaseKind
 * @typedef {object} Options
 * @property {string} benchmark
 * @property {DatabaseKind[]} databases
 * @property {number} seconds Measured time of each row of the table.
 * @property {number} rounds
 * @property {number[]} connections
 * @property {string[]} operations
 * @property {string | undefined} profileDirectory
 */

/** Said to whoever typed the command, without a stack. */
export class UsageError extends Error {}

const help = `Usage: node benchmarks/run.mjs <benchmark> [options]        (build first: npm run build)

Benchmarks
  working-memory   PUT and GET of one working-memory value, next to two yardsticks from the same run:
                   a bare Fastify route (what HTTP costs anyway) and the same SQL statements in a
                   plain pg loop (what the database costs anyway)
  documents        GET and PATCH of a governed document next to its own SQL statements in a plain pg loop, and
                   PATCH of documents with ten and with ten thousand versions
  gateway          one turn of a chat added, and searched among 250 messages, by agents at the same time

Options
  --database <embedded|postgres|both>   default both; postgres starts a throw-away cluster with fsync on
  --seconds <n>        measured time of each row of the table, default 6
  --rounds <n>         that time is cut into this many turns, default 6; in every round each variant gets
                       one turn, so that a noisy moment of the machine hits all of them
  --connections <list> clients at the same time, default 1,16; each is a user of its own and sends its next
                       request when it has the answer to the last
  --operations <list>  default: all of the benchmark
  --profile <dir>      write a CPU profile of the Memhall server there; open it in Chrome DevTools

Reading it
  Times belong to this machine at this moment; the ratios are what to compare between runs. "sequential"
  awaits every statement, as most code does; "pipelined" sends what it can at once, as Memhall does.
  Results also go to benchmarks/results/<benchmark>-<database>.json.

Examples
  node benchmarks/run.mjs working-memory
  node benchmarks/run.mjs working-memory --database postgres --seconds 20 --connections 1,4,16,64
  node benchmarks/run.mjs working-memory --database embedded --operations get --profile /tmp/profile
  node benchmarks/run.mjs documents --database postgres
`;

/**
 * undefined when there was nothing to run: the help was asked for and printed.
 * @param {string[]} words
 * @param {Record<string, { operations: readonly string[] }>} benchmarks
 * @returns {Options | undefined}
 */
export function readOptions(words, benchmarks) {
  const { values, positionals } = parse(words);
  if (values.help || words.length === 0) {
    console.log(help);
    return undefined;
  }
  const [benchmark, ...rest] = positionals;
  const known = benchmark === undefined ? undefined : benchmarks[benchmark]?.operations;
  if (benchmark === undefined || known === undefined || rest.length > 0) {
    throw new UsageError(`Name one benchmark: ${Object.keys(benchmarks).join(', ')}. More with --help.`);
  }
  return {
    benchmark,
    databases: toDatabases(values.database),
    seconds: toNumber('--seconds', values.seconds),
    rounds: toCount('--rounds', values.rounds),
    connections: values.connections.split(',').map((count) => toCount('--connections', count)),
    operations: values.operations === undefined ? [...known] : toOperations(values.operations, known),
    profileDirectory: values.profile,
  };
}

/** @param {string[]} words */
function parse(words) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        database: { type: 'string', default: 'both' },
        seconds: { type: 'string', default: '6' },
        rounds: { type: 'string', default: '6' },
        connections: { type: 'string', default: '1,16' },
        operations: { type: 'string' },
        profile: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message} More with --help.`);
  }
}

/**
 * @param {string} value
 * @returns {DatabaseKind[]}
 */
function toDatabases(value) {
  if (value === 'both') return ['embedded', 'postgres'];
  if (value === 'embedded' || value === 'postgres') return [value];
  throw new UsageError(`--database must be embedded, postgres or both, not "${value}".`);
}

/**
 * @param {string} text
 * @param {readonly string[]} known
 */
function toOperations(text, known) {
  const named = text.split(',');
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return named;
  throw new UsageError(`--operations must be of ${known.join(', ')}, not "${unknown}".`);
}

/**
 * @param {string} flag
 * @param {string} text
 */
function toNumber(flag, text) {
  const number = Number(text);
  if (!(number > 0 && number <= 3600)) throw new UsageError(`${flag} must be a number from 0 to 3600, not "${text}".`);
  return number;
}

/**
 * @param {string} flag
 * @param {string} text
 */
function toCount(flag, text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1000) {
    throw new UsageError(`${flag} must be whole numbers from 1 to 1000, not "${text}".`);
  }
  return count;
}
