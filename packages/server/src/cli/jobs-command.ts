import { Command } from 'commander';
import type { Environment } from './config-options.js';
import { jobsListCommand } from './jobs-list-command.js';
import { jobsRetryCommand } from './jobs-retry-command.js';
import { jobsRunCommand } from './jobs-run-command.js';

export function jobsCommand(environment: Environment): Command {
  return new Command('jobs')
    .description('Look after the work in the background.')
    .addCommand(jobsListCommand(environment))
    .addCommand(jobsRunCommand(environment))
    .addCommand(jobsRetryCommand(environment));
}
