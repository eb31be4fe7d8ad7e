import { isId, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { migrateSemantic } from '../composition/migrate-semantic.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

interface Options {
  assignUser: string;
  table: string;
  dryRun?: boolean;
}

export function migrateSemanticCommand(environment: Environment): Command {
  const command = new Command('semantic')
    .description(
      'Bring knowledge from a table without users (id, tenant_id, content and what else it has) into Memhall, as private memories of one user. Of equal contents in a tenant the newest is kept. Twice is once; the table stays as it is.',
    )
    .requiredOption('--assign-user <id>', 'user who owns the rows from now on')
    .option('--table <name>', 'the table, in the same database', 'semantic_memory')
    .option('--dry-run', 'only count');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall migrate semantic --assign-user system --dry-run',
    'memhall migrate semantic --assign-user alice --table old.semantic_memory',
  );
  return command.action(async (_options: Options, own: Command) => {
    const options = own.optsWithGlobals<Options & Record<string, unknown>>();
    if (!isId(options.assignUser)) throw new StartUpError('--assign-user must be a valid id.');
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Migrating');
    const report = await migrateSemantic(config, createLogger(config.logLevel), {
      table: options.table,
      userId: options.assignUser,
      dryRun: options.dryRun ?? false,
      onProgress: (done, total) => bar.update(done, total),
    });
    bar.finish();
    for (const { id, reason } of report.refused) process.stdout.write(`refused: id=${id} ${reason}\n`);
    const verb = options.dryRun ? 'Migration would be' : 'Migration complete';
    process.stdout.write(
      `${verb}: rows=${report.rows} stored=${report.stored} duplicates=${report.duplicates} refused=${report.refused.length}\n`,
    );
    if (report.refused.length > 0) process.exitCode = 1;
  });
}
