import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { jobsListCommand } from './jobs-list-command.js';
import { jobsRetryCommand } from './jobs-retry-command.js';
import { jobsRunCommand } from './jobs-run-command.js';

export function jobsCommand(environment: Environment): Command {
  const command = new Command('jobs')
    .description('List, run and retry background jobs.')
    .addCommand(jobsListCommand(environment))
    .addCommand(jobsRunCommand(environment))
    .addCommand(jobsRetryCommand(environment));
  return withExamples(command, 'memhall jobs list --state failed', 'memhall jobs retry --all-failed');
}
