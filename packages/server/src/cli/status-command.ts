import { Command } from 'commander';
import { isDataDirectoryInUse } from '../composition/open-database.js';
import type { Config } from '../config/settings.js';
import { addressOf, askServer, freeBytesAt, operatorToken, type ServerHealth, type ServerState } from './ask-server.js';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';
import { padToWidth, toLine } from './text-width.js';

interface Options {
  server?: string;
  token?: string;
  json?: true;
}

/** Workers look for jobs every few seconds, so what waits for less is not late. */
const lateAfterSeconds = 30;

/** The data directory of the embedded database. */
interface Data {
  disk: { directory: string; free_bytes: number };
  /** Whether a process has the database open: a server, perhaps on another port. */
  in_use: boolean;
}

export function statusCommand(environment: Environment): Command {
  const command = new Command('status')
    .description(
      'Show whether a server is running: its version, database, embedder and jobs, what waits for the index, and the free space on disk. Asks the server over HTTP and opens no database. Exits with code 1 if it cannot be reached or is degraded.',
    )
    .option('--server <url>', 'Ask this server. (default: the one that this configuration starts) [MEMHALL_SERVER_URL]')
    .option(
      '--token <jwt>',
      'Token with the role operator. By default it is signed with the secret in the data directory. Prefer the variable: flags are visible in the process list. [MEMHALL_TOKEN]',
    );
  addConfigOptions(addJsonOption(command), ['host', 'port', 'dataDirectory', 'databaseUrl', 'logLevel', 'logFormat']);
  withExamples(command, 'memhall status', 'memhall status --server https://memory.example.com --json');
  return command.action(async (options: Options) => {
    const config = configFrom(options, environment);
    const named = options.server ?? (environment.MEMHALL_SERVER_URL || undefined);
    const token = await operatorToken(config, options.token ?? environment.MEMHALL_TOKEN);
    const state = await askServer(named ?? addressOf(config), token);
    const data = named === undefined ? await dataOf(config) : undefined;
    printResult(options.json, { ...state, ...data }, toText(state, data));
    if (!state.reachable || state.health?.status !== 'ok') process.exitCode = 1;
  });
}

async function dataOf(config: Config): Promise<Data | undefined> {
  const { databaseUrl, dataDirectory: directory } = config;
  const free = databaseUrl === undefined ? await freeBytesAt(directory) : undefined;
  if (free === undefined) return undefined;
  return { disk: { directory, free_bytes: free }, in_use: await isDataDirectoryInUse(config) };
}

function toText({ url, reachable, problem, health }: ServerState, data: Data | undefined): string {
  const lines = {
    ...(reachable && health ? sayHealth(url, health) : sayMissing(url, problem, data)),
    ...sayDisk(data),
  };
  return Object.entries(lines)
    .map(([name, line]) => `${padToWidth(name, 10)}${toLine(line)}`)
    .join('\n');
}

function sayMissing(url: string, problem: string | undefined, data: Data | undefined): Record<string, string> {
  return {
    server: `cannot be reached at ${url}: ${problem}`,
    next: data?.in_use
      ? `a process has ${data.disk.directory} open: if it is a server on another port, name it with --port or --server`
      : 'start it with `memhall serve`, or name another with --server; `memhall doctor` says what it would lack',
  };
}

function sayHealth(url: string, health: ServerHealth): Record<string, string> {
  const { status, version, database, embedder, indexing, jobs } = health;
  const server = `${url}, ${status}`;
  if (version === undefined) {
    const next =
      status === 'ok'
        ? 'for details, set MEMHALL_TOKEN to a token with the role operator'
        : 'see the log of the server, or run `memhall doctor` beside it';
    return { server, next };
  }
  return {
    server: `${server}, version ${version}`,
    database: `${database?.kind} ${database?.server_version}, schema ${database?.schema_version}, ${sayBytes(database?.size_bytes ?? 0)}`,
    embedder: sayEmbedder(embedder),
    index: sayIndexing(indexing),
    jobs: sayJobs(jobs ?? []),
  };
}

function sayEmbedder(embedder: ServerHealth['embedder']): string {
  if (!embedder) return 'none: recall matches words only';
  const { model, runtime, status, note } = embedder;
  const state = { starting: 'is loading: recall matches words only', failed: 'failed: recall matches words only' }[
    status
  ];
  return [[model, state ?? runtime].join(', '), note ?? []].flat().join(': ');
}

function sayIndexing(
  { waiting, lag_seconds: seconds }: ServerHealth['indexing'] = { waiting: 0, lag_seconds: 0 },
): string {
  return waiting === 0 ? 'up to date' : `${waiting} memories wait, the oldest for ${Math.round(seconds)} s`;
}

function sayJobs(jobs: NonNullable<ServerHealth['jobs']>): string {
  const due = jobs.filter(({ backlog_seconds: seconds }) => seconds >= lateAfterSeconds);
  const failed = jobs.reduce((sum, { dead_letters: count }) => sum + count, 0);
  const waiting = due.map(({ name, backlog_seconds: seconds }) => `${name} for ${Math.round(seconds)} s`).join(', ');
  return [
    due.length === 0 ? 'none is late' : `late: ${waiting}`,
    ...(failed === 0 ? [] : [`${failed} failed: see \`memhall jobs list --state failed\``]),
  ].join('; ');
}

function sayDisk(data: Data | undefined): Record<string, string> {
  return data === undefined ? {} : { disk: `${sayBytes(data.disk.free_bytes)} free at ${data.disk.directory}` };
}

function sayBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
