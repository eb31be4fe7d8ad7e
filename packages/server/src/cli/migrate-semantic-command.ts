import { isId, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { migrateSemantic } from '../composition/migrate-semantic.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts, printResult } from './report.js';

interface Options {
  assignUser: string;
  table: string;
  dryRun?: boolean;
  json?: true;
}

export function migrateSemanticCommand(environment: Environment): Command {
  const command = new Command('semantic')
    .description(
      'Import knowledge from a table without users (columns id, tenant_id, content and optional others) as private memories of one user. If rows of a tenant have the same content, the newest is imported. Running it twice imports nothing twice. The table is not changed.',
    )
    .requiredOption('--assign-user <id>', 'User who will own the memories. (required)')
    .option('--table <name>', 'Table to import, in the same database.', 'semantic_memory')
    .option('--dry-run', 'Import nothing; count the rows.');
  addStoreOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall migrate semantic --assign-user system --dry-run',
    'memhall migrate semantic --assign-user alice --table old.semantic_memory',
  );
  return command.action(async (_options: Options, own: Command) => {
    const options = own.optsWithGlobals<Options & Record<string, unknown>>();
    if (!isId(options.assignUser))
      throw new StartUpError('--assign-user must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -.');
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Migrating');
    const report = await migrateSemantic(config, createLogger(config.logLevel, config.logFormat), {
      table: options.table,
      userId: options.assignUser,
      dryRun: options.dryRun ?? false,
      onProgress: (done, total) => bar.update(done, total),
    });
    bar.finish();
    for (const { id, reason } of report.refused) {
      printResult(options.json, { id, reason }, `refused: id=${id} ${reason}`);
    }
    const verb = options.dryRun ? 'Migration would be' : 'Migration complete';
    const { rows, stored, duplicates, refused } = report;
    printCounts(options.json, verb, { rows, stored, duplicates, refused: refused.length });
    if (report.refused.length > 0) process.exitCode = 1;
  });
}
