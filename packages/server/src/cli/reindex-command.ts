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
      'Rebuild the search index of events from the events themselves. If artifacts are stored in Azure Blob Storage, first rebuild everything the database derives from them and adopt edits made there. Searches and writes continue during the rebuild, and searches find the same events afterwards. Can run while a server is running.',
    )
    .option('--tenant <id>', 'Rebuild only this tenant. (default: every tenant)');
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
