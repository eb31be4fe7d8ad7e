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
      'Run background jobs without serving HTTP, until SIGTERM or SIGINT. Any number of workers can share a PostgreSQL database. If a server is running on the embedded database, the worker reaches the database through that server.',
    )
    .option('--json', 'Print one line of JSON once the worker is running, and nothing else on standard output.');
  addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel']);
  withExamples(command, 'memhall worker', 'memhall worker --database-url postgres://memhall@localhost/memhall --json');
  return command.action(async (options: { json?: boolean }) => {
    const config = configFrom(options, environment);
    const logger = createLogger(config.logLevel);
    const running = await startEngine(config, logger, { shareRunning: true, runJobs: true });
    stopOnSignal(running, logger);
    // Keeps the process alive: the timers of the job runner are unreferenced.
    setInterval(() => undefined, 60_000);
    const jobs = jobSummaries.map(({ name }) => name);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ event: 'working', jobs, pid: process.pid })}\n`
        : `Running jobs: ${jobs.join(', ')}.\n`,
    );
  });
}
