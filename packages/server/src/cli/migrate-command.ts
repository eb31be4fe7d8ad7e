import { Command } from 'commander';
import { migrateDatabase } from '../composition/open-database.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { migrateDocumentsCommand } from './migrate-documents-command.js';
import { migrateSemanticCommand } from './migrate-semantic-command.js';
import { addJsonOption, printResult } from './report.js';

export function migrateCommand(environment: Environment): Command {
  const command = new Command('migrate')
    .description(
      'Bring the database schema up to date. A server does this at start unless MEMHALL_MIGRATE is false. Safe to run twice, and from several processes at once.',
    )
    .option('--dry-run', 'Apply nothing; list the migrations that would be applied.');
  addJsonOption(command);
  addStoreOptions(command);
  withExamples(
    command,
    'memhall migrate --dry-run',
    'memhall migrate --database-url postgres://owner@localhost/memhall',
  );
  command.addCommand(migrateSemanticCommand(environment)).addCommand(migrateDocumentsCommand(environment));
  return command.action(async (options: { dryRun?: boolean; json?: true }) => {
    const config = configFrom(options, environment);
    const { pending, version } = await migrateDatabase(
      config,
      createLogger(config.logLevel, config.logFormat),
      options.dryRun ?? false,
    );
    const verb = options.dryRun ? 'To be applied' : 'Applied';
    const summary =
      pending.length === 0 ? `The schema is up to date (version ${version}).` : `${verb}: ${pending.join(', ')}.`;
    const names = options.dryRun ? { pending } : { applied: pending };
    printResult(options.json, { version, ...names }, summary);
  });
}
