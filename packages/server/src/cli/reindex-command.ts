import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { reindex } from '../composition/reindex.js';
import { createLogger } from '../http/logging.js';
import { EventIndexError } from '../ports/event-index.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

export function reindexCommand(environment: Environment): Command {
  const command = new Command('reindex')
    .description(
      'Rebuild the search index of events from the events themselves, and what recall finds of documents from the documents. If artifacts are stored in Azure Blob Storage, first rebuild everything the database derives from them and adopt edits made there. If there is an index in Azure AI Search, drop it (with --tenant: empty the part of that tenant) and rebuild it as well. Searches and writes continue during the rebuild, and searches find the same events afterwards. Can run while a server is running.',
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
      const indexed = report.indexed === null ? '' : ` indexed=${report.indexed}`;
      process.stdout.write(
        `Reindex complete: tenants=${report.tenants} users=${report.users} events=${report.events} removed=${report.removed} documents=${report.documents}${rebuilt}${indexed}\n`,
      );
    } catch (error) {
      throw error instanceof Problem || error instanceof EventIndexError
        ? new StartUpError(error.message, { cause: error })
        : error;
    }
  });
}
