import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { reindex } from '../composition/reindex.js';
import { createLogger } from '../http/logging.js';
import { EventIndexError } from '../ports/event-index.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts } from './report.js';

export function reindexCommand(environment: Environment): Command {
  const command = new Command('reindex')
    .description(
      'Rebuild the search index of events from the events themselves, and what recall finds of documents from the documents. If artifacts are stored in Azure Blob Storage, first rebuild everything the database derives from them and adopt edits made there. If there is an index in Azure AI Search, drop it (with --tenant: empty the part of that tenant) and rebuild it as well. Searches and writes continue during the rebuild, and searches find the same events afterwards. Can run while a server is running.',
    )
    .option('--tenant <id>', 'Rebuild only this tenant. (default: every tenant)');
  addStoreOptions(addJsonOption(command));
  withExamples(command, 'memhall reindex', 'memhall reindex --tenant acme');
  return command.action(async (options: { tenant?: string; json?: true }) => {
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Reindexing');
    const onProgress = (done: number, total: number) => bar.update(done, total);
    try {
      const report = await reindex(config, createLogger(config.logLevel, config.logFormat), {
        tenantId: options.tenant,
        onProgress,
      });
      bar.finish();
      const { tenants, users, events, removed, documents, rebuiltUsers, indexed } = report;
      const further = { rebuilt: rebuiltUsers ?? undefined, indexed: indexed ?? undefined };
      printCounts(options.json, 'Reindex complete', { tenants, users, events, removed, documents, ...further });
    } catch (error) {
      throw error instanceof Problem || error instanceof EventIndexError
        ? new StartUpError(error.message, { cause: error })
        : error;
    }
  });
}
