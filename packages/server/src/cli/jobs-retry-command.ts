import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { withLedger } from '../composition/operate-jobs.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';

export function jobsRetryCommand(environment: Environment): Command {
  const command = new Command('retry')
    .description(
      'Give jobs that failed for good all their attempts again, from now. A server or worker does them. Exit code 1 if there was none. Works beside a running server.',
    )
    .argument('[id...]', 'ids that `memhall jobs list --state failed` shows')
    .option('--all-failed', 'every job that failed for good');
  addStoreOptions(command);
  withExamples(command, 'memhall jobs retry --all-failed', 'memhall jobs retry 0b5f7c1e-93c4-4f39-a4f4-0e1d4b0c2f11');
  return command.action(async (ids: string[], options: { allFailed?: boolean }) => {
    if (ids.length > 0 === (options.allFailed === true)) {
      throw new StartUpError('Give the ids of jobs, or --all-failed.');
    }
    const config = configFrom({ ...options }, environment);
    const retried = await withLedger(config, createLogger(config.logLevel), (ledger) =>
      ledger.retry(options.allFailed ? 'all' : ids),
    );
    process.stdout.write(`Retry complete: jobs=${retried}\n`);
    if (retried < Math.max(ids.length, 1)) process.exitCode = 1;
  });
}
