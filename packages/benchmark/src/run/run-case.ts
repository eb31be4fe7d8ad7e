import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isPath, type LoadedAdapter } from '../adapters/load-adapter.js';
import { type Case, type CaseContext, Finding, NotMeasured } from '../cases/case.js';
import { HostSession } from '../hosts/host-session.js';
import { NotInstalled } from '../place/installed-packages.js';
import { searchFiles, searchRows } from '../place/search-stored.js';
import { atExit } from './at-exit.js';
import { commandFor } from './command-for.js';
import { Random } from './random.js';
import type { CaseResult, Status } from './result.js';
import type { BenchmarkParts } from './run-benchmark.js';
import { within } from './within.js';

/** Runs one case once, on an empty place. Never rejects. */
export async function runCase(
  parts: BenchmarkParts,
  system: LoadedAdapter,
  one: Case,
  seed: number,
): Promise<CaseResult> {
  const { adapter } = system;
  const notes: string[] = [];
  const began = performance.now();
  const finish = (status: Status, rest: Partial<CaseResult> = {}): CaseResult => ({
    case: one.id,
    status,
    seed,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    notes: [...new Set([...notes, ...(status === 'failed' ? [adapter.remarks?.[one.id] ?? []].flat() : [])])],
    command: commandFor(parts.options, system, one.id, seed),
    ...rest,
  });
  const missing = one.needs.find((capability) => !adapter.claims[capability].claimed);
  if (missing !== undefined) return finish('not claimed', { missing, detail: adapter.claims[missing].note });
  const directory = mkdtempSync(join(parts.options.workDirectory ?? tmpdir(), 'memhall-benchmark-'));
  const remove = atExit(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  const sessions: HostSession[] = [];
  let database: string | undefined;
  try {
    if (adapter.storage === 'postgres') {
      if (parts.postgres === undefined) return finish('not measured', { detail: withoutPostgres });
      database = `benchmark_${process.pid}_${parts.nextDatabase()}`;
    }
    const databaseUrl = database === undefined ? undefined : await parts.postgres?.createDatabase(database);
    const context = contextOf(parts, { system, seed, directory, databaseUrl, sessions, notes });
    const measures = await within(one.run(context), parts.options.timeoutMs);
    return measures === undefined ? finish('passed') : finish('measured', { measures });
  } catch (error) {
    const detail = (error as Error).message;
    if (error instanceof Finding) return finish('failed', { detail });
    return finish(error instanceof NotMeasured || error instanceof NotInstalled ? 'not measured' : 'error', { detail });
  } finally {
    for (const session of sessions) await session.kill();
    if (database !== undefined) await parts.postgres?.dropDatabase(database).catch(() => undefined);
    remove();
  }
}

const withoutPostgres =
  'It stores in PostgreSQL. Install PostgreSQL with pgvector, or name a server with --database-url.';

interface OneRun {
  system: LoadedAdapter;
  seed: number;
  directory: string;
  databaseUrl: string | undefined;
  sessions: HostSession[];
  notes: string[];
}

function contextOf({ options, environment, models, postgres }: BenchmarkParts, run: OneRun): CaseContext {
  const { system, seed, directory, databaseUrl, sessions, notes } = run;
  const { adapter } = system;
  const home = join(directory, 'data');
  mkdirSync(home);
  return {
    adapter,
    random: new Random(seed),
    data: options.data,
    conversations: options.conversations,
    async open() {
      const session = await HostSession.start({
        adapter,
        environment,
        timeoutMs: options.callTimeoutMs,
        start: {
          adapter: absolute(system.source),
          directory: home,
          databaseUrl,
          modelUrl: models.url,
          dimensions: models.dimensions,
          packages: options.packages.map((path) => resolve(path)),
          settings: options.settings,
        },
      });
      sessions.push(session);
      return session;
    },
    searchRows(words) {
      if (adapter.storage === 'remote') throw new NotMeasured('Its storage cannot be searched from here.');
      if (adapter.opaque !== undefined && adapter.storage === 'files')
        throw new NotMeasured(
          'Only the system itself can read its database. See erasure/files, which searches every byte of it.',
        );
      return searchRows({ directory: home, databaseUrl, opaque: adapter.opaque ?? [] }, words);
    },
    searchFiles(words) {
      if (adapter.storage === 'remote') throw new NotMeasured('Its storage cannot be searched from here.');
      if (adapter.storage === 'postgres' && postgres?.directory === undefined)
        throw new NotMeasured('The files of the server given with --database-url cannot be read.');
      return searchFiles([home, ...(adapter.storage === 'postgres' ? [postgres?.directory ?? ''] : [])], words);
    },
    note: (text) => void notes.push(text),
  };
}

/** The process of the system runs in another directory. */
function absolute(source: string): string {
  return isPath(source) ? resolve(source) : source;
}
