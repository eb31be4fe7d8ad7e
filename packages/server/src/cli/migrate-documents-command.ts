import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { startEngine } from '../composition/start-engine.js';
import { type MigrationOutcome, migrateDocuments } from '../engine/documents/migrate-documents.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printCounts, printResult } from './report.js';

interface Options {
  tenant: string;
  profile: string;
  dryRun?: boolean;
  apply?: boolean;
  verify?: boolean;
  json?: true;
}

export function migrateDocumentsCommand(environment: Environment): Command {
  const command = new Command('documents')
    .description(
      'Copy documents from the old paths that a profile lists (legacy_paths) to their current paths. Give exactly one of --dry-run, --apply and --verify. Running --apply twice copies nothing twice. The old documents are kept.',
    )
    .requiredOption('--tenant <id>', 'Tenant that owns the documents. (required)')
    .requiredOption('--profile <id>', 'Profile that lists the paths. (required)')
    .option('--dry-run', 'Copy nothing; list what would be copied.')
    .option('--apply', 'Copy the documents that are not at their current path yet.')
    .option('--verify', 'Compare old and new documents; exit with code 1 if one is missing or differs.');
  addStoreOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall migrate documents --tenant acme --profile project-copilot-v2 --dry-run',
    'memhall migrate documents --tenant acme --profile project-copilot-v2 --apply',
  );
  return command.action(async (_options: Options, own: Command) => {
    const options = own.optsWithGlobals<Options & Record<string, unknown>>();
    const mode = toMode(options);
    const config = configFrom(options, environment);
    const { engine, close } = await startEngine(config, createLogger(config.logLevel, config.logFormat), {
      shareRunning: true,
      runJobs: false,
    });
    const counts: Partial<Record<MigrationOutcome, number>> = {};
    try {
      for await (const { userId, from, to, outcome, reason } of migrateDocuments(
        engine,
        options.tenant,
        options.profile,
        mode,
      )) {
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        const places = `${from.namespace}/${from.path} -> ${to.namespace}/${to.path}`;
        const line = `${outcome}: user=${userId} ${places}${reason === undefined ? '' : ` ${reason}`}`;
        printResult(options.json, { outcome, user_id: userId, from, to, reason }, line);
      }
    } finally {
      await close();
    }
    printCounts(options.json, summaries[mode], inOrder(counts));
    if ((counts.refused ?? 0) + (counts.differs ?? 0) + (counts.missing ?? 0) > 0) process.exitCode = 1;
  });
}

const summaries = {
  'dry-run': 'Migration would be',
  apply: 'Migration complete',
  verify: 'Verify complete',
} as const;

function toMode({ dryRun, apply, verify }: Options): keyof typeof summaries {
  const given = [dryRun && 'dry-run', apply && 'apply', verify && 'verify'].filter(
    (mode): mode is keyof typeof summaries => typeof mode === 'string',
  );
  const [mode] = given;
  if (mode === undefined || given.length > 1) {
    throw new StartUpError('Give exactly one of --dry-run, --apply and --verify.');
  }
  return mode;
}

function inOrder(counts: Partial<Record<MigrationOutcome, number>>): Record<string, number> {
  const outcomes = ['copied', 'present', 'changed', 'missing', 'differs', 'refused'] as const;
  return Object.fromEntries(outcomes.map((outcome) => [outcome, counts[outcome] ?? 0]));
}
