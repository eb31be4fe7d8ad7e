import { Command } from 'commander';
import { jobSummaries } from '../composition/operate-jobs.js';
import { startWorker } from '../composition/start-worker.js';
import { createLogger } from '../http/logging.js';
import { addConfigOptions, type Environment, serverConfigFrom } from './config-options.js';
import { withExamples } from './examples.js';
import { stopOnSignal } from './stop-on-signal.js';

export function workerCommand(environment: Environment): Command {
  const command = new Command('worker')
    .description(
      'Run background jobs until SIGTERM or SIGINT, without serving an API. Any number of workers can share a PostgreSQL database. If a server is running on the embedded database, the worker reaches the database through that server. The metrics of the worker are at /metrics of its own listener.',
    )
    .option('--json', 'Print one line of JSON once the worker is running, and nothing else on standard output.');
  addConfigOptions(command, [
    'dataDirectory',
    'databaseUrl',
    'embedder',
    'logLevel',
    'logFormat',
    'metricsHost',
    'metricsPort',
  ]);
  withExamples(
    command,
    'memhall worker',
    'memhall worker --database-url postgres://memhall@localhost/memhall --json',
    'memhall worker --metrics-host 0.0.0.0 --metrics-port 9464',
  );
  return command.action(async (options: { json?: boolean }) => {
    const config = serverConfigFrom(options, environment);
    const logger = createLogger(config.logLevel, config.logFormat);
    const worker = await startWorker(config, logger);
    const { metricsUrl } = worker;
    stopOnSignal(worker, logger);
    // Keeps the process alive: the timers of the job runner are unreferenced.
    setInterval(() => undefined, 60_000);
    const jobs = jobSummaries.map(({ name }) => name);
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ event: 'working', jobs, metrics_url: metricsUrl, pid: process.pid })}\n`
        : `Running jobs: ${jobs.join(', ')}.\nMetrics: ${metricsUrl ?? 'off'}\n`,
    );
  });
}
