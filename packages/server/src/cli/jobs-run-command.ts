import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { type JobResult, jobSummaries, runJobNow } from '../composition/operate-jobs.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';

interface Options {
  tenant?: string;
  user?: string;
  set: string[];
  json?: boolean;
}

export function jobsRunCommand(environment: Environment): Command {
  const names = jobSummaries.map(({ name }) => name);
  const command = new Command('run')
    .description(
      'Run a job now, in this process, and print its result. It bypasses the queue and also runs the jobs it would enqueue, except those scheduled for later. Can run while a server is running.',
    )
    .argument('<name>', `Job to run: ${names.join(', ')}.`)
    .option('--tenant <id>', 'Run only for this tenant. (default: every tenant)')
    .option('--user <id>', 'Run only for this user, if the job takes a user.')
    .addOption(repeatable('--set <name=id>', 'Another id that the job takes, such as profileId=…. Can be repeated.'))
    .option('--json', 'Print the result as JSON.');
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel', 'logFormat']);
  withExamples(command, 'memhall jobs run expire-memories', 'memhall jobs run refresh-forms --tenant acme --json');
  return command.action(async (name: string, options: Options) => {
    const config = configFrom(options, environment);
    const stopping = new AbortController();
    process.once('SIGINT', () => stopping.abort(new StartUpError('Stopped before the job finished.')));
    process.once('SIGTERM', () => stopping.abort(new StartUpError('Stopped before the job finished.')));
    const result = await runJobNow(
      config,
      createLogger(config.logLevel, config.logFormat),
      name,
      toPayload(options),
      stopping.signal,
    ).catch((error: unknown) => {
      throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
    });
    process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : `Job complete: ${describe(result)}\n`);
  });
}

function toPayload({ tenant, user, set }: Options): Record<string, string> {
  const further = set.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new StartUpError(`--set must look like name=id, not "${pair}".`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return {
    ...(tenant === undefined ? {} : { tenantId: tenant }),
    ...(user === undefined ? {} : { userId: user }),
    ...Object.fromEntries(further),
  };
}

function describe(result: JobResult): string {
  return Object.entries(result)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
