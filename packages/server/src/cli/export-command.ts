import { isId, StartUpError } from '@memhall/core';
import { Command, Option } from 'commander';
import { exportArchive } from '../composition/export-archive.js';
import { exportFormats } from '../engine/personal-export/export-part.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { type ExportMineOptions, exportMine } from './export-mine.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts } from './report.js';

interface Options extends Partial<Omit<ExportMineOptions, 'team' | 'output' | 'format'>> {
  mine?: true;
  format: ExportMineOptions['format'];
  team: string[];
  output: string;
  json?: true;
}

export function exportCommand(environment: Environment): Command {
  const command = new Command('export')
    .description(
      'Export all data of a tenant or of one user to an archive: one JSON object per line, with a hash on the last line. Conversations stay encrypted; everything else is readable by anyone who has the file. With --mine, export the memory of one user instead, for people to read or for other programs: memories, notes, documents, facts and files, and nothing of others. Can run while a server is running.',
    )
    .option('--tenant <id>', 'Tenant to export. (required; with --mine the default is: default)')
    .option('--user <id>', 'Export only the data of this user. (with --mine the default is: me)')
    .option('--output <file>', 'File to write; - is standard output.', '-')
    .option('--mine', 'Export what the user owns, as the user may see it, instead of an archive to restore.')
    .addOption(new Option('--format <format>', 'With --mine: the form.').choices(exportFormats).default('jsonl'))
    .option('--workspace <id>', 'With --mine: workspace of the user. (default: the one named after the user)')
    .addOption(repeatable('--team <id>', 'With --mine: team of the user. Can be repeated.'))
    .option('--org <id>', 'With --mine: organization of the user.');
  addStoreOptions(addJsonOption(command, 'Print the counts as JSON, to standard error if that is where they go.'));
  withExamples(
    command,
    'memhall export --tenant acme --output acme.jsonl',
    'memhall export --tenant acme --user alice --output alice.jsonl',
    'memhall export --tenant acme | gzip > acme.jsonl.gz',
    'memhall export --mine --format markdown --output memory.md',
  );
  return command.action(async (options: Options) => {
    if (options.mine) return exportMine(environment, { ...options, ...ownerOf(options) });
    const tenant = options.tenant ?? command.error("error: required option '--tenant <id>' not specified");
    await exportWhole(environment, { ...options, tenant });
  });
}

function ownerOf({ tenant = 'default', user = 'me' }: Options) {
  return { tenant, user };
}

async function exportWhole(environment: Environment, options: Options & { tenant: string }): Promise<void> {
  const { tenant: tenantId, user: userId, output } = options;
  if (!isId(tenantId)) throw new StartUpError('--tenant must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -.');
  if (userId !== undefined && !isId(userId))
    throw new StartUpError('--user must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -.');
  const config = configFrom(options, environment);
  const bar = new ProgressBar('Exporting');
  const onProgress = (done: number, total: number) => bar.update(done, total);
  const wanted = { tenantId, userId, output, onProgress };
  const records = await exportArchive(config, createLogger(config.logLevel, config.logFormat), wanted).finally(() =>
    bar.finish(),
  );
  const counts = { tenant: tenantId, user: userId, records };
  printCounts(options.json, 'Export complete', counts, output === '-' ? process.stderr : process.stdout);
}
