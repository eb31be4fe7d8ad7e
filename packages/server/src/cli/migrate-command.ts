import { Command } from 'commander';
import { distributeDatabase, migrateDatabase } from '../composition/open-database.js';
import type { Config } from '../config/settings.js';
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
    .option('--dry-run', 'Apply nothing; list the migrations that would be applied. With --distribute, print the SQL.')
    .option(
      '--distribute',
      'Then distribute the tables by tenant over the nodes of a Citus cluster. Stop all servers and workers first; run it again after every upgrade.',
    );
  addJsonOption(command);
  addStoreOptions(command);
  withExamples(
    command,
    'memhall migrate --dry-run',
    'memhall migrate --database-url postgres://owner@localhost/memhall',
    'memhall migrate --distribute --dry-run --database-url postgres://owner@coordinator/memhall',
  );
  command.addCommand(migrateSemanticCommand(environment)).addCommand(migrateDocumentsCommand(environment));
  return command.action(async (options: { dryRun?: boolean; distribute?: boolean; json?: true }) => {
    const config = configFrom(options, environment);
    if (options.distribute) return distribute(config, options);
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

async function distribute(config: Config, { dryRun = false, json }: { dryRun?: boolean; json?: true }): Promise<void> {
  const logger = createLogger(config.logLevel, config.logFormat);
  const { pending, version, statements } = await distributeDatabase(config, logger, dryRun);
  const lines = statements.map((statement) => `${statement};`);
  const done = pending.length === 0 ? [] : [`Applied: ${pending.join(', ')}.`];
  const summary =
    statements.length === 0
      ? 'All tables are distributed.'
      : dryRun
        ? lines.join('\n')
        : `${statements.length} statements distributed the tables. Start servers and workers again.`;
  printResult(json, { version, ...(dryRun ? {} : { applied: pending }), statements }, [...done, summary].join('\n'));
}
