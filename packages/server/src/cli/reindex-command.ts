import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { reindex } from '../composition/reindex.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

export function reindexCommand(environment: Environment): Command {
  const command = new Command('reindex')
    .description(
      'Make the search index of events anew from the events themselves; where artifacts live in Azure Blob Storage, first make everything anew that the database derives from them, and adopt what was edited there. Searches and writes go on meanwhile, and find the same after. Works beside a running server.',
    )
    .option('--tenant <id>', 'only the events of this tenant');
  addStoreOptions(command);
  withExamples(command, 'memhall reindex', 'memhall reindex --tenant acme');
  return command.action(async (options: { tenant?: string }) => {
    const config = configFrom({ ...options }, environment);
    const bar = new ProgressBar('Reindexing');
    const onProgress = (done: number, total: number) => bar.update(done, total);
    try {
      const report = await reindex(config, createLogger(config.logLevel), { tenantId: options.tenant, onProgress });
      bar.finish();
      const rebuilt = report.rebuiltUsers === null ? '' : ` rebuilt=${report.rebuiltUsers}`;
      process.stdout.write(
        `Reindex complete: tenants=${report.tenants} users=${report.users} events=${report.events} removed=${report.removed}${rebuilt}\n`,
      );
    } catch (error) {
      throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
    }
  });
}
