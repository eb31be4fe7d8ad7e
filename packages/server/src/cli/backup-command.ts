import { Command } from 'commander';
import { backUp } from '../composition/back-up.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';

export function backupCommand(environment: Environment): Command {
  const command = new Command('backup')
    .description(
      'Copy the embedded database to a new directory, while a server is running. Requests wait while the files are copied. The copy is a complete data directory: to restore it, start a server with --data and that directory, or move it into place. It contains the secrets of the server, unless you leave them out. For PostgreSQL, use its own tools.',
    )
    .argument('<directory>', 'Directory to create.')
    .option('--without-secrets', 'Leave out the keys that sign tokens, encrypt snapshots and sign the audit log.')
    .option('--json', 'Print one line of JSON.');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall backup /backups/memhall-monday',
    'memhall backup --data /var/lib/memhall --without-secrets /backups/today',
    'memhall serve --data /backups/memhall-monday',
  );
  return command.action(async (target: string, options: { withoutSecrets?: true; json?: true }) => {
    const config = configFrom(options, environment);
    const report = await backUp(config, createLogger(config.logLevel, config.logFormat), {
      target,
      withSecrets: options.withoutSecrets !== true,
    });
    const { files, bytes, secrets } = report;
    const pausedMs = Math.round(report.pausedMs);
    if (options.json) {
      process.stdout.write(`${JSON.stringify({ directory: target, files, bytes, paused_ms: pausedMs, secrets })}\n`);
      return;
    }
    const kept = secrets.length === 0 ? 'It contains no secrets.' : `It contains secrets (${secrets.join(', ')}).`;
    process.stdout.write(`Backup complete: ${target}, files=${files} bytes=${bytes} paused_ms=${pausedMs}\n${kept}\n`);
  });
}
