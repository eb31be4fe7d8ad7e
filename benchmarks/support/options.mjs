import { parseArgs } from 'node:util';

/**
 * @typedef {'embedded' | 'postgres'} DatabaseKind
 * @typedef {object} Options
 * @property {string} benchmark
 * @property {DatabaseKind[]} databases
 * @property {number} seconds measured time of each row of the table
 * @property {number} rounds
 * @property {number[]} connections
 * @property {string[]} operations
 * @property {string | undefined} profileDirectory
 */

/** Wrong usage of the command: its message is printed without a stack. */
export class UsageError extends Error {}

const help = `Usage: node benchmarks/run.mjs <benchmark> [options]        (build first: npm run build)

Benchmarks
  working-memory   PUT and GET one working-memory value, compared with two yardsticks from the same run:
                   a bare Fastify route (the cost of HTTP) and the same SQL statements in a plain pg loop
                   (the cost of the database)
  documents        GET and PATCH a governed document, compared with its SQL statements in a plain pg loop,
                   and PATCH documents with ten and with ten thousand versions
  plugin           write and search memories through the plugin listener, compared with the same calls
                   without HTTP: the cost of the listener
  gateway          add one turn of a chat and search among 250 messages, with concurrent agents

Options
  --database <embedded|postgres|both>   default both; postgres starts a throw-away cluster with fsync on
  --seconds <n>        measured time of each row of the table, default 6
  --rounds <n>         number of turns that this time is divided into, default 6; each variant gets one turn
                       per round, so that a noisy moment of the machine affects all of them
  --connections <list> numbers of concurrent clients, default 1,16; each client is a separate user and sends
                       its next request after the response to the previous one
  --operations <list>  operations to measure, default all of the benchmark
  --profile <dir>      write a CPU profile of the Memhall server to this directory; open it in Chrome DevTools

Reading the results
  Times are valid only for this machine at this moment; compare the ratios between runs. "sequential"
  awaits every statement, as most code does; "pipelined" sends statements without waiting where it can,
  as Memhall does. Results are also written to benchmarks/results/.

Examples
  node benchmarks/run.mjs working-memory
  node benchmarks/run.mjs working-memory --database postgres --seconds 20 --connections 1,4,16,64
  node benchmarks/run.mjs working-memory --database embedded --operations get --profile /tmp/profile
  node benchmarks/run.mjs documents --database postgres
`;

/**
 * Returns undefined if the help was requested and printed.
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
    throw new UsageError(`Name one benchmark: ${Object.keys(benchmarks).join(', ')}. See --help.`);
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
  return parseWords({
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
}

/**
 * Throws UsageError for words that the options do not allow.
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {Config} config
 */
export function parseWords(config) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`${/** @type {Error} */ (error).message} See --help.`);
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
  throw new UsageError(`--operations must be from ${known.join(', ')}, not "${unknown}".`);
}

/**
 * @param {string} flag
 * @param {string} text
 */
function toNumber(flag, text) {
  const number = Number(text);
  if (!(number > 0 && number <= 3600))
    throw new UsageError(`${flag} must be greater than 0 and at most 3600, not "${text}".`);
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
