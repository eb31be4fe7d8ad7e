import { setTimeout as wait } from 'node:timers/promises';
import { isId, Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import type { Caller } from '../engine/caller.js';
import type { Engine } from '../engine/engine.js';
import { listMemoryFiles } from '../engine/memory-files/list-memory-files.js';
import { fileRootOf } from '../engine/memory-files/memory-path.js';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { readBase, writeBase } from './folder/base-file.js';
import { type FileReport, isTrouble, sayReport } from './folder/folder-report.js';
import { LocalFolder } from './folder/local-folder.js';
import { pullFiles, type Sides, toThere } from './folder/pull-files.js';
import { pushFiles } from './folder/push-files.js';
import { addTextOptions, countOption } from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { addJsonOption, printResult } from './report.js';
import { withEngine } from './with-engine.js';

interface Options extends OwnerOptions {
  agent?: string;
  delete?: true;
  interval?: number;
  json?: true;
}

type Direction = 'pull' | 'push';

/** The files that agents keep as their memory, as a folder. */
export function fsCommand(environment: Environment): Command {
  const command = new Command('fs')
    .description(
      'Keep the files of an agent, or of a user, in a folder: edit them there with your own editor. Both sides may change: what both changed is merged, and conflicts are marked in the file.',
    )
    .addCommand(
      directionCommand(
        environment,
        'pull',
        'Bring what changed in Memhall into the folder. Nothing is changed in Memhall.',
      ),
    )
    .addCommand(
      directionCommand(
        environment,
        'push',
        'Store what changed in the folder. Refuses files that changed in Memhall too.',
      ),
    )
    .addCommand(watchCommand(environment));
  return withExamples(
    command,
    'memhall fs pull notes --agent planner',
    'memhall fs push notes --agent planner --delete',
    'memhall fs watch notes --agent planner',
  );
}

function directionCommand(environment: Environment, direction: Direction, description: string): Command {
  const command = folderCommand(direction, description);
  withExamples(command, `memhall fs ${direction} notes`, `memhall fs ${direction} notes --user ann --agent planner`);
  return command.action((path: string, options: Options) =>
    withEngine(environment, options, async (engine) => {
      const reports = await exchange(engine, options, await LocalFolder.open(path), [direction]);
      print(reports, options);
      if (reports.length === 0 && !options.json) process.stderr.write('Nothing has changed.\n');
      if (reports.some(isTrouble)) process.exitCode = 1;
    }),
  );
}

function watchCommand(environment: Environment): Command {
  const command = folderCommand('watch', 'Pull and push again and again, until it is interrupted.').addOption(
    countOption('--interval <seconds>', 'Pause between two looks, 1 to 3600 seconds.', [1, 3600], 2),
  );
  withExamples(command, 'memhall fs watch notes', 'memhall fs watch notes --interval 10 --delete');
  return command.action((path: string, options: Options) =>
    withEngine(environment, options, async (engine) => {
      const stopping = new AbortController();
      const stop = () => stopping.abort();
      process.once('SIGINT', stop).once('SIGTERM', stop);
      const folder = await LocalFolder.open(path);
      if (!options.json) process.stderr.write(`Watching ${folder.path}. Press Ctrl+C to stop.\n`);
      await watch(engine, options, folder, stopping.signal).finally(() => {
        process.off('SIGINT', stop).off('SIGTERM', stop);
      });
    }),
  );
}

async function watch(engine: Engine, options: Options, folder: LocalFolder, signal: AbortSignal): Promise<void> {
  // What waits for somebody is said once.
  let said = new Set<string>();
  let isAvailable = true;
  while (!signal.aborted) {
    try {
      const reports = await exchange(engine, options, folder, ['pull', 'push']);
      print(
        reports.filter((report) => !said.has(sayReport(report))),
        options,
      );
      said = new Set(reports.map(sayReport));
      isAvailable = true;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (isAvailable) process.stderr.write('Memhall is not available. Trying again until it is.\n');
      isAvailable = false;
    }
    await wait((options.interval ?? 2) * 1000, undefined, { signal }).catch(() => undefined);
  }
}

/** A server that stops, or a database that fails over, is usually back soon. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'UNAVAILABLE';
}

function folderCommand(name: string, description: string): Command {
  const command = new Command(name)
    .description(description)
    .argument('<directory>', 'The folder. Only what is in it is read or written; symbolic links are not followed.')
    .option('--agent <id>', "Agent whose files they are. (default: the user's own)")
    .option('--delete', 'Also delete what was deleted on the other side.');
  return addTextOptions(addOwnerOptions(addJsonOption(command, 'Print one line of JSON for each file.')));
}

/** Compares both sides and brings changes over. Notes what they agree on, even if it ends early. */
async function exchange(
  engine: Engine,
  options: Options,
  folder: LocalFolder,
  directions: readonly Direction[],
): Promise<FileReport[]> {
  const caller = callerOf(options);
  const owner = { tenant: caller.tenantId, user: caller.userId, root: fileRootOf(options.agent) };
  const base = await readBase(folder, owner);
  const reports: FileReport[] = [];
  try {
    for (const direction of directions) {
      const known = new Set([...base.files.values()].map(({ etag }) => etag));
      const there = toThere(await listMemoryFiles(engine, caller, base.root, known), base);
      const { texts: here, unfit } = await folder.read();
      const sides: Sides = { folder, base, there, here, unfit, deletes: options.delete === true };
      for (const [name, note] of unfit) reports.push({ name, outcome: 'refused', note: `it ${note}` });
      reports.push(...(direction === 'pull' ? await pullFiles(sides) : await pushFiles({ engine, caller }, sides)));
    }
  } finally {
    await writeBase(folder, base);
  }
  return distinct(reports);
}

function callerOf(options: Options): Caller {
  if (options.agent !== undefined && !isId(options.agent)) {
    throw new StartUpError(`--agent must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -, not "${options.agent}".`);
  }
  // What is in memory files has the trust of an agent, also if a person wrote it.
  return { ...memberOf(options, 'cli.fs'), operation: 'files.push' };
}

function distinct(reports: readonly FileReport[]): FileReport[] {
  return [...new Map(reports.map((report) => [sayReport(report), report])).values()];
}

function print(reports: readonly FileReport[], { json }: Options): void {
  for (const report of reports) printResult(json, report, sayReport(report));
}
