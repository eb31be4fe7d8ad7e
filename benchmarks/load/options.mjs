import { parseWords, UsageError } from '../support/options.mjs';

/**
 * @typedef {'rate' | 'find' | 'tail' | 'growth' | 'soak' | 'overload'} Mode
 * @typedef {object} LoadOptions
 * @property {Mode} mode
 * @property {import('../support/options.mjs').DatabaseKind} database
 * @property {number[]} sizes ascending
 * @property {number[]} nodes
 * @property {number | undefined} tenants
 * @property {number} exponent
 * @property {number | undefined} rate
 * @property {number | undefined} percent
 * @property {number} seconds
 * @property {number} warmUpSeconds
 * @property {number} fillMinutes
 * @property {string} name
 * @property {string | undefined} profileDirectory
 * @property {Record<string, string>} environment
 * @property {string[]} postgresSettings
 */

const help = `Put Memhall under the load of many tenants, and see how fast, how dear and how steady it is.

  npm run build
  node benchmarks/load/run.mjs <mode> [options]

Modes
  tail       70 % of the capacity: how much slower than the median are the slowest, and what do they wait for?
  find       the highest rate at which 99 of 100 requests take under 100 ms, for each number of nodes
  growth     the same load on more and more memories: bytes, processor time, statements and log of each operation
  soak       80 % of the capacity for a long time: times, memory, connections, dead rows and log
  overload   150 % of the capacity: what is refused, what the others wait, and whether tenants suffer for each other
  rate       the rate that --rate says

Options
  --database <embedded|postgres>  default postgres: a cluster with fsync on, in a directory that is removed at the end
  --memories <list>     memories at the start, default 10k; growth: 10k,100k,1m,5m (embedded: 10k,100k)
  --nodes <list>        servers on one PostgreSQL, default 1; find: 1,2,3
  --seconds <n>         measured time of each step, default 20; soak: 1800
  --warm-up <n>         seconds before it that do not count, default 5
  --rate <n>            requests per second, instead of a share of the measured capacity
  --percent <n>         another share of the capacity
  --tenants <n>         tenants that send requests; default all: one for every 1,000 memories
  --exponent <n>        how unequal they are: tenant k sends in proportion to 1 / k^n, default 1; 0: all alike
  --fill-minutes <n>    gives up if storing the memories takes longer, default 30
  --set <NAME=value>    a setting of the servers; can be repeated
  --postgres <name=value>  a setting of PostgreSQL; can be repeated
  --profile <dir>       write a processor profile of each node to this directory
  --name <name>         name of the result, benchmarks/results/load-<name>.json; default from mode and database
  -h, --help

What is sent
  70 % recall, 15 % add, 5 % patch of a document, 5 % context, 5 % other (put and get of a state, list), each by one of two users of a
  tenant. Texts are sentences about people. What is stored at the start has vectors of the model up to 10,000 memories, and those with
  noise beyond; what is sent is embedded by the server.

How it is measured
  Requests are due at a constant rate, whatever the server does (an open loop), and their time counts from when they were due. Clients that
  wait for an answer before they send again would leave out the worst: while a server stands still, they do not ask.
  "Capacity" is what sixteen callers get that do wait. Only answers of success have times; what was refused, lost or took over ten seconds
  is counted apart. The load is sent from this machine, so it takes a part of the processors that servers and PostgreSQL would have; times
  of a busy machine are not times of Memhall. Processor time, statements, bytes and log are hardly affected by that.
  Everything runs on loopback, and every loop ends by a count or a time.

Examples
  node benchmarks/load/run.mjs tail
  node benchmarks/load/run.mjs find --nodes 1,2,3 --seconds 30
  node benchmarks/load/run.mjs growth --memories 10k,100k
  node benchmarks/load/run.mjs overload --database embedded
`;

/** @type {Record<Mode, { seconds: string, nodes: string, percent: number }>} */
const defaults = {
  tail: { seconds: '20', nodes: '1', percent: 70 },
  find: { seconds: '20', nodes: '1,2,3', percent: 100 },
  growth: { seconds: '20', nodes: '1', percent: 50 },
  soak: { seconds: '1800', nodes: '1', percent: 80 },
  overload: { seconds: '20', nodes: '1', percent: 150 },
  rate: { seconds: '20', nodes: '1', percent: 100 },
};

/** Sizes of growth. */
const grown = { embedded: '10k,100k', postgres: '10k,100k,1m,5m' };

/**
 * Returns undefined if the help was requested and printed.
 * @param {string[]} words
 * @returns {LoadOptions | undefined}
 */
export function readLoadOptions(words) {
  const { values, positionals } = parse(words);
  if (values.help || words.length === 0) {
    console.log(help);
    return undefined;
  }
  const [mode, ...rest] = positionals;
  if (!isMode(mode) || rest.length > 0) {
    throw new UsageError(`Name one mode: ${Object.keys(defaults).join(', ')}. See --help.`);
  }
  const { database } = values;
  if (database !== 'embedded' && database !== 'postgres') {
    throw new UsageError(`--database must be embedded or postgres, not "${database}".`);
  }
  if (mode === 'rate' && values.rate === undefined) throw new UsageError('The mode rate needs --rate.');
  return {
    mode,
    database,
    sizes: (values.memories ?? (mode === 'growth' ? grown[database] : '10k'))
      .split(',')
      .map(toSize)
      .sort((one, other) => one - other),
    nodes: toNodes(database, values.nodes ?? (database === 'embedded' ? '1' : defaults[mode].nodes)),
    tenants: values.tenants === undefined ? undefined : toCount('--tenants', values.tenants, 10_000),
    exponent: toExponent(values.exponent),
    rate: values.rate === undefined ? undefined : toCount('--rate', values.rate, 100_000),
    percent: values.percent === undefined ? defaults[mode].percent : toCount('--percent', values.percent, 1000),
    seconds: toCount('--seconds', values.seconds ?? defaults[mode].seconds, 7200),
    warmUpSeconds: toCount('--warm-up', values['warm-up'], 600),
    fillMinutes: toCount('--fill-minutes', values['fill-minutes'], 240),
    name: values.name ?? `${mode}-${database}`,
    profileDirectory: values.profile,
    postgresSettings: values.postgres.map((text) => toSetting('--postgres', text).join('=')),
    environment: Object.fromEntries(values.set.map((text) => toSetting('--set', text))),
  };
}

/** @param {string[]} words */
function parse(words) {
  return parseWords({
    args: words,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      database: { type: 'string', default: 'postgres' },
      memories: { type: 'string' },
      nodes: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string', default: '5' },
      rate: { type: 'string' },
      percent: { type: 'string' },
      tenants: { type: 'string' },
      exponent: { type: 'string', default: '1' },
      'fill-minutes': { type: 'string', default: '30' },
      set: { type: 'string', multiple: true, default: [] },
      postgres: { type: 'string', multiple: true, default: [] },
      profile: { type: 'string' },
      name: { type: 'string' },
    },
  });
}

/**
 * @param {string | undefined} text
 * @returns {text is Mode}
 */
function isMode(text) {
  return text !== undefined && Object.hasOwn(defaults, text);
}

/** @param {string} text */
function toSize(text) {
  const [, digits, unit] = /^(\d+)([km]?)$/i.exec(text) ?? [];
  const size = Number(digits) * (unit === undefined || unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6);
  if (size >= 1000 && size <= 5e6 && size % 1000 === 0) return size;
  throw new UsageError(`--memories must be multiples of 1000 such as 10k or 1m, up to 5m, not "${text}".`);
}

/**
 * @param {import('../support/options.mjs').DatabaseKind} database
 * @param {string} list
 */
function toNodes(database, list) {
  const nodes = list.split(',').map((text) => toCount('--nodes', text, 8));
  if (database === 'postgres' || nodes.every((count) => count === 1)) return nodes;
  throw new UsageError('The embedded database has one node: leave out --nodes.');
}

/**
 * @param {string} flag
 * @param {string} text
 * @param {number} most
 */
function toCount(flag, text, most) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new UsageError(`${flag} must be a whole number from 1 to ${most}, not "${text}".`);
}

/** @param {string} text */
function toExponent(text) {
  const number = Number(text);
  if (number >= 0 && number <= 3) return number;
  throw new UsageError(`--exponent must be a number from 0 to 3, not "${text}".`);
}

/**
 * @param {string} flag
 * @param {string} text
 * @returns {[string, string]}
 */
function toSetting(flag, text) {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`${flag} needs a name and a value with = between them, not "${text}".`);
}
