import { Command } from 'commander';
import { importArchive } from '../composition/import-archive.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts } from './report.js';

export function importCommand(environment: Environment): Command {
  const command = new Command('import')
    .description(
      'Restore an archive written by `memhall export`, exactly, into the embedded database or PostgreSQL. The whole archive is verified before anything is written. Importing twice adds nothing twice; run an interrupted import again to finish it. Existing records with different content are never overwritten. Can run while a server is running.',
    )
    .requiredOption('--input <file>', 'Archive to read; - is standard input. (required)');
  addStoreOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall import --input acme.jsonl',
    'gunzip -c acme.jsonl.gz | memhall import --input - --database-url postgres://owner@localhost/memhall',
  );
  return command.action(async (options: { input: string; json?: true }) => {
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Importing');
    const onProgress = (done: number, total: number) => bar.update(done, total);
    const wanted = { input: options.input, onProgress };
    const report = await importArchive(config, createLogger(config.logLevel, config.logFormat), wanted).finally(() =>
      bar.finish(),
    );
    const { header, records, added, present, leftOut } = report;
    const { tenant, user } = header;
    printCounts(options.json, 'Import complete', { tenant, user, records, added, present, left_out: leftOut });
  });
}
