import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { withLedger } from '../composition/operate-jobs.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printCounts } from './report.js';

export function jobsRetryCommand(environment: Environment): Command {
  const command = new Command('retry')
    .description(
      'Make failed jobs due now and give them a full set of attempts. A running server or worker then runs them. Exits with code 1 if a given id is not a failed job, or if --all-failed finds none. Can run while a server is running.',
    )
    .argument('[id...]', 'Job ids, as listed by `memhall jobs list --state failed`.')
    .option('--all-failed', 'Retry every failed job.');
  addStoreOptions(addJsonOption(command));
  withExamples(command, 'memhall jobs retry --all-failed', 'memhall jobs retry 0b5f7c1e-93c4-4f39-a4f4-0e1d4b0c2f11');
  return command.action(async (ids: string[], options: { allFailed?: boolean; json?: true }) => {
    if (ids.length > 0 === (options.allFailed === true)) {
      throw new StartUpError('Give either job ids or --all-failed.');
    }
    const config = configFrom(options, environment);
    const retried = await withLedger(config, createLogger(config.logLevel, config.logFormat), (ledger) =>
      ledger.retry(options.allFailed ? 'all' : ids),
    );
    printCounts(options.json, 'Retry complete', { jobs: retried });
    if (retried < Math.max(ids.length, 1)) process.exitCode = 1;
  });
}
