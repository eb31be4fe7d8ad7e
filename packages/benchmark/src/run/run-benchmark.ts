import { readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import type { LoadedAdapter } from '../adapters/load-adapter.js';
import { allCases } from '../cases/all-cases.js';
import { areas, type Case } from '../cases/case.js';
import { type ModelServer, startModelServer } from '../models/model-server.js';
import { NotInstalled, versionOf } from '../place/installed-packages.js';
import { type PostgresServer, startPostgres, usePostgres } from '../place/postgres-server.js';
import { exitWhenInterrupted } from './at-exit.js';
import type { BenchmarkResult, CaseResult, SystemResult } from './result.js';
import { runCase } from './run-case.js';

export interface BenchmarkOptions {
  /** How the caller started the benchmark, for commands that repeat a case. */
  program: string;
  /** Projects in which the packages of the systems are installed. */
  packages: readonly string[];
  /** Ids of cases or names of areas; all if empty. */
  only: readonly string[];
  settings: Readonly<Record<string, string>>;
  seed: number;
  repeat: number;
  /** A data set for evidence recall. */
  data: string | undefined;
  conversations: number;
  /** A server whose user may create databases. Without it, one is started if PostgreSQL is installed. */
  databaseUrl: string | undefined;
  workDirectory: string | undefined;
  /** Longest time for one case. */
  timeoutMs: number;
  /** Longest time for one call. */
  callTimeoutMs: number;
}

export interface BenchmarkParts {
  options: BenchmarkOptions;
  environment: Readonly<Record<string, string | undefined>>;
  models: ModelServer;
  postgres: PostgresServer | undefined;
  nextDatabase(): number;
}

export type OnCase = (system: string, result: CaseResult) => void;

/** Runs the chosen cases for each system, one after the other. */
export async function runBenchmark(
  systems: readonly LoadedAdapter[],
  options: BenchmarkOptions,
  environment: Readonly<Record<string, string | undefined>>,
  onCase: OnCase = () => undefined,
): Promise<BenchmarkResult> {
  const cases = chooseCases(options.only);
  const allowInterruption = exitWhenInterrupted();
  const models = await startModelServer(options.packages);
  let postgres: PostgresServer | undefined;
  try {
    if (systems.some(({ adapter }) => adapter.storage === 'postgres'))
      postgres = options.databaseUrl === undefined ? await startPostgres() : await usePostgres(options.databaseUrl);
    let databases = 0;
    const nextDatabase = (): number => databases++;
    const parts: BenchmarkParts = { options, environment, models, postgres, nextDatabase };
    const results: SystemResult[] = [];
    for (const system of systems) results.push(await runSystem(parts, system, cases, onCase));
    return {
      benchmark: ownVersion(),
      date: new Date().toISOString(),
      node: process.versions.node,
      platform: `${platform()} ${arch()}`,
      postgres: postgres?.version,
      embedder: models.embedder,
      seed: options.seed,
      repeat: options.repeat,
      cases: cases.map(({ id, title, needs }) => ({ id, title, needs, area: areaOf(id) })),
      systems: results,
    };
  } finally {
    await models.close();
    await postgres?.stop();
    allowInterruption();
  }
}

/** Returns the cases with these ids or of these areas. Throws if a name means nothing. */
function chooseCases(only: readonly string[]): readonly Case[] {
  const unknown = only.filter((name) => !allCases.some(({ id }) => id === name || areaOf(id) === name));
  if (unknown.length > 0) {
    const known = [...areas, ...allCases.map(({ id }) => id)].join(', ');
    throw new UnknownCase(`There is no case or area ${unknown.join(', ')}. There are ${known}.`);
  }
  return only.length === 0 ? allCases : allCases.filter(({ id }) => only.includes(id) || only.includes(areaOf(id)));
}

export class UnknownCase extends Error {}

async function runSystem(
  parts: BenchmarkParts,
  system: LoadedAdapter,
  cases: readonly Case[],
  onCase: OnCase,
): Promise<SystemResult> {
  const { adapter } = system;
  const { name, title, settings, documentation, claims } = adapter;
  const described = { system: name, title, settings, documentation, claims };
  try {
    const { packages, repeat, seed } = parts.options;
    const versions = Object.fromEntries(adapter.packages.map((one) => [one, versionOf(packages, one)]));
    const results: CaseResult[] = [];
    for (const one of cases) {
      for (let round = 0; round < repeat; round++) {
        const result = await runCase(parts, system, one, seed + round);
        results.push(result);
        onCase(name, result);
        if (result.status.startsWith('not ')) break;
      }
    }
    return { ...described, versions, cases: results };
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error;
    return { ...described, versions: {}, cases: [], unavailable: error.message };
  }
}

function areaOf(id: Case['id']): (typeof areas)[number] {
  return id.split('/')[0] as (typeof areas)[number];
}

function ownVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
