import { Command } from 'commander';
import { jobSummaries } from '../composition/operate-jobs.js';
import { startEngine } from '../composition/start-engine.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { stopOnSignal } from './stop-on-signal.js';

export function workerCommand(environment: Environment): Command {
  const command = new Command('worker')
    .description(
      'Run jobs without serving HTTP, until SIGTERM or SIGINT. As many workers as you like may share a PostgreSQL; beside a server on the embedded database it works through that server.',
    )
    .option('--json', 'print one line of JSON when working, and nothing else to standard output');
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel']);
  withExamples(command, 'memhall worker', 'memhall worker --database-url postgres://memhall@localhost/memhall --json');
  return command.action(async (options: { json?: boolean }) => {
    const config = configFrom(options, environment);
    const logger = createLogger(config.logLevel);
    const running = await startEngine(config, logger, { shareRunning: true, runJobs: true });
    stopOnSignal(running, logger);
    // Nothing else holds the process: the runner's own pauses do not.
    setInterval(() => undefined, 60_000);
    const jobs = jobSummaries.map(({ name }) => name);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ event: 'working', jobs, pid: process.pid })}\n`
        : `Working on ${jobs.join(', ')}.\n`,
    );
  });
}
