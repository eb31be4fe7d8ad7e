import { Command } from 'commander';
import { importArchive } from '../composition/import-archive.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';

export function importCommand(environment: Environment): Command {
  const command = new Command('import')
    .description(
      'Restore what `memhall export` wrote, exactly, on either kind of database. The archive is checked to its end before anything is written. Twice is once, and an import that was cut off is finished by running it again; what is there with another content is never overwritten. Works beside a running server.',
    )
    .requiredOption('--input <file>', 'the archive; - is standard input');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall import --input acme.jsonl',
    'gunzip -c acme.jsonl.gz | memhall import --input - --database-url postgres://owner@localhost/memhall',
  );
  return command.action(async (options: { input: string }) => {
    const config = configFrom({ ...options }, environment);
    const bar = new ProgressBar('Importing');
    const onProgress = (done: number, total: number) => bar.update(done, total);
    const wanted = { input: options.input, onProgress };
    const report = await importArchive(config, createLogger(config.logLevel), wanted).finally(() => bar.finish());
    const { header, records, added, present, leftOut } = report;
    const whose = `tenant=${header.tenant}${header.user === undefined ? '' : ` user=${header.user}`}`;
    process.stdout.write(
      `Import complete: ${whose} records=${records} added=${added} present=${present} left_out=${leftOut}\n`,
    );
  });
}
