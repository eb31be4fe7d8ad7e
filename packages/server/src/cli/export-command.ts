import { isId, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { exportArchive } from '../composition/export-archive.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

interface Options {
  tenant: string;
  user?: string;
  output: string;
}

export function exportCommand(environment: Environment): Command {
  const command = new Command('export')
    .description(
      'Export all data of a tenant or of one user to an archive: one JSON object per line, with a hash on the last line. Conversations stay encrypted; everything else is readable by anyone who has the file. Can run while a server is running.',
    )
    .requiredOption('--tenant <id>', 'Tenant to export. (required)')
    .option('--user <id>', 'Export only the data of this user.')
    .option('--output <file>', 'File to write; - is standard output.', '-');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall export --tenant acme --output acme.jsonl',
    'memhall export --tenant acme --user alice --output alice.jsonl',
    'memhall export --tenant acme | gzip > acme.jsonl.gz',
  );
  return command.action(async (options: Options) => {
    const { tenant: tenantId, user: userId, output } = options;
    if (!isId(tenantId)) throw new StartUpError('--tenant must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -.');
    if (userId !== undefined && !isId(userId))
      throw new StartUpError('--user must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -.');
    const config = configFrom({ ...options }, environment);
    const bar = new ProgressBar('Exporting');
    const onProgress = (done: number, total: number) => bar.update(done, total);
    const wanted = { tenantId, userId, output, onProgress };
    const records = await exportArchive(config, createLogger(config.logLevel), wanted).finally(() => bar.finish());
    const summary = `Export complete: tenant=${tenantId}${userId === undefined ? '' : ` user=${userId}`} records=${records}\n`;
    (output === '-' ? process.stderr : process.stdout).write(summary);
  });
}
