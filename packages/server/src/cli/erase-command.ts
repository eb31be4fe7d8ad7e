import { StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { compact } from '../composition/compact.js';
import { createLogger } from '../http/logging.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts } from './report.js';

export function eraseCommand(environment: Environment): Command {
  const command = new Command('erase')
    .description(
      'Remove what erasures left in the files of the database. Forgetting a user removes the rows, but the files keep their text in freed space and in the write-ahead log until the database reuses it. --compact rewrites every table and overwrites the log. Requests to a table wait while it is rewritten, and all requests on the embedded database do. Needs disk space for a copy of the largest table. On PostgreSQL, run it as the owner of the database. Exits with code 1 if something could not be removed yet. Can run while a server is running.',
    )
    .option('--compact', 'Rewrite the tables and overwrite the write-ahead log.')
    .option('--tables-only', 'Leave the write-ahead log as it is.');
  addStoreOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall erase --compact',
    'memhall erase --compact --tables-only --database-url postgres://owner@localhost/memhall',
  );
  return command.action(async (options: { compact?: true; tablesOnly?: true; json?: true }) => {
    if (options.compact !== true) {
      throw new StartUpError(
        'Add --compact. To forget a user or a tenant, send a DELETE request: see docs/operate/erasure.md.',
      );
    }
    const config = configFrom(options, environment);
    const bar = new ProgressBar('Compacting');
    const report = await compact(config, createLogger(config.logLevel, config.logFormat), {
      tablesOnly: options.tablesOnly === true,
      onProgress: (done, total) => bar.update(done, total),
    });
    bar.finish();
    const notes = options.json ? process.stderr : process.stdout;
    for (const table of report.unfinishedTables) {
      notes.write(`kept: removed rows of ${table}, which a long transaction uses. End it and repeat.\n`);
    }
    if (report.keptSegments > 0) {
      notes.write(
        `kept: ${report.keptSegments} segments of the write-ahead log, for a replica or an archive. Repeat when they are no longer needed.\n`,
      );
    }
    const { tables, freedBytes, segments } = report;
    printCounts(options.json, 'Compaction complete', { tables, freed_bytes: freedBytes, log_segments: segments });
    if (report.unfinishedTables.length > 0 || report.keptSegments > 0) process.exitCode = 1;
  });
}
