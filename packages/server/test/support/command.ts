import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { type CommandResult, captureProcess } from './capture-process.js';
import type { TestDatabase } from './databases.js';

export const program = fileURLToPath(new URL('../../bin/memhall.js', import.meta.url));

const flagNames: Record<string, string> = { dataDirectory: '--data', databaseUrl: '--database-url' };

/** Returns the flags that point the `memhall` command to a test database. */
export function flagsOf(database: TestDatabase): string[] {
  return Object.entries(database.flags).flatMap(([name, value]) => [flagNames[name] ?? name, value]);
}

const quiet = {
  MEMHALL_CONFIG: 'off',
  MEMHALL_EMBEDDER: 'none',
  MEMHALL_EMBEDDER_START: 'wait',
  MEMHALL_SHED_DELAY_MS: '0',
};

/**
 * The environment without our own variables and without a configuration file, so that a developer's settings have no effect, and without
 * an embedder, which takes long to load: a test that needs one sets it, and waits for it. Busy machines run the tests, so no load is shed.
 */
function cleanEnvironment(extra: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(MEMHALL_|MEMORY_|DATABASE_URL$|OTEL_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...quiet, ...extra };
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Runs a `memhall` command to its end inside this process. Commands take turns: there is only one standard output. */
export function runCommand(args: readonly string[], environment: Record<string, string> = {}): Promise<CommandResult> {
  const argv = ['node', 'memhall', ...args];
  const run = lastRun.then(() => captureProcess(() => runCommandLine(argv, cleanEnvironment(environment))));
  lastRun = run.catch(() => undefined);
  return run;
}

/** Runs `memhall` to its end in its own process, like a shell, with `input` piped in. */
export function runProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], { env: cleanEnvironment(environment) });
  child.stdin.on('error', () => undefined).end(input);
  return collect(child);
}

/** Starts `memhall` in its own process, for commands that run until they are interrupted. */
export function startProgram(args: readonly string[], environment: Record<string, string> = {}): SpawnedProcess {
  const child = spawn(process.execPath, [program, ...args], { env: cleanEnvironment(environment) });
  return { child, ended: collect(child) };
}

export async function collect(child: ChildProcess): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr };
}

export interface SpawnedProcess {
  child: ChildProcess;
  /** Resolves with all output once the process has exited. */
  ended: Promise<CommandResult>;
}

export interface ServerProcess extends SpawnedProcess {
  url: string;
  pluginUrl: string | null;
}

/** Starts a long-running `memhall` command and resolves once it has announced itself. */
async function spawnCommand(
  args: readonly string[],
  environment: Record<string, string>,
  wrapper: readonly string[] = [],
): Promise<SpawnedProcess & { announced: Record<string, unknown> }> {
  const [file = '', ...rest] = [...wrapper, process.execPath, program, ...args];
  const child = spawn(file, rest, { env: cleanEnvironment(environment), stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = collect(child);
  const announced = await new Promise<Record<string, unknown>>((done, fail) => {
    createInterface({ input: child.stdout }).once('line', (line) => done(JSON.parse(line)));
    void ended.then(({ code, stderr }) => fail(new Error(`memhall ${args[0]} ended with ${code}: ${stderr}`)));
  });
  if (announced.pid !== child.pid) throw new Error('the announced pid is another process');
  return { announced, child, ended };
}

/**
 * Starts `memhall serve --json` in its own process and resolves once it listens.
 * @param wrapper a command that runs the server in its own place, with the same process id
 */
export async function spawnServer(
  args: readonly string[],
  environment: Record<string, string> = {},
  wrapper: readonly string[] = [],
): Promise<ServerProcess> {
  const ports = ['--port', '0', '--plugin-port', '0'].filter(
    (_, index, all) => !args.includes(all[index - (index % 2)] ?? ''),
  );
  const { announced, child, ended } = await spawnCommand(['serve', '--json', ...ports, ...args], environment, wrapper);
  const { url, plugin_url: pluginUrl } = announced as { url: string; plugin_url: string | null };
  return { url, pluginUrl, child, ended };
}

/** Starts `memhall worker --json` in its own process and resolves once it works. */
export function spawnWorker(args: readonly string[], environment: Record<string, string> = {}) {
  return spawnCommand(['worker', '--json', ...args], environment);
}
