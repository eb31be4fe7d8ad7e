import { Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { type JobResult, jobSummaries, runJobNow } from '../composition/operate-jobs.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
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
      'Run a job now, in this process, and print what came of it. It does not wait in the queue, and what it would enqueue it does as well. Works beside a running server.',
    )
    .argument('<name>', names.join(', '))
    .option('--tenant <id>', 'only for this tenant')
    .option('--user <id>', 'only for this user, where the job is about one')
    .option(
      '--set <name=id>',
      'further ids that the job takes; may be given several times',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option('--json', 'print the result as JSON');
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel']);
  withExamples(command, 'memhall jobs run expire-memories', 'memhall jobs run refresh-forms --tenant acme --json');
  return command.action(async (name: string, options: Options) => {
    const config = configFrom({ ...options }, environment);
    const stopping = new AbortController();
    process.once('SIGINT', () => stopping.abort(new StartUpError('Stopped before it was done.')));
    process.once('SIGTERM', () => stopping.abort(new StartUpError('Stopped before it was done.')));
    const result = await runJobNow(
      config,
      createLogger(config.logLevel),
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
