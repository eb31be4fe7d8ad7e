import { Command, Option } from 'commander';
import { importArchive } from '../composition/import-archive.js';
import { createLogger } from '../http/logging.js';
import { foreignSources } from '../ports/foreign-memories.js';
import { configFrom, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { type ImportFromOptions, importFrom } from './import-from.js';
import { addTextOptions } from './memory-options.js';
import { ProgressBar } from './progress-bar.js';
import { addJsonOption, printCounts } from './report.js';

interface Options extends Partial<Omit<ImportFromOptions, 'team'>> {
  input?: string;
  team: string[];
}

export function importCommand(environment: Environment): Command {
  const command = new Command('import')
    .description(
      'Restore an archive written by `memhall export`, exactly, into the embedded database or PostgreSQL. The whole archive is verified before anything is written. Importing twice adds nothing twice; run an interrupted import again to finish it. Existing records with different content are never overwritten. With --from, bring in what another tool remembers: see first what would be stored, then add --apply. Can run while a server is running.',
    )
    .argument('[path]', 'With --from: what the tool exported, a file, a directory or a zip archive.')
    .option('--input <file>', 'Archive to read; - is standard input. (required without --from)')
    .addOption(new Option('--from <tool>', 'Bring in what this tool remembers.').choices(foreignSources))
    .option('--apply', 'With --from: store it. Without it, nothing is stored.')
    .option('--of <name>', 'With --from: only what is of this user of the tool.')
    .option('--everyone', 'With --from: what is of all users of the tool, as memory of this one user.')
    .option('--report <file>', 'With --from: file for everything that is not stored and why, one JSON object per line.')
    .option('--namespace <name>', 'With --from: share it in this namespace, such as team:blue.')
    .option('--tenant <id>', 'With --from: tenant of the user.', 'default')
    .option('--user <id>', 'With --from: user whose memory it becomes.', 'me')
    .option('--workspace <id>', 'With --from: workspace of the user. (default: the one named after the user)')
    .addOption(repeatable('--team <id>', 'With --from: team of the user. Can be repeated.'))
    .option('--org <id>', 'With --from: organization of the user.');
  addTextOptions(addJsonOption(command));
  withExamples(
    command,
    'memhall import --input acme.jsonl',
    'gunzip -c acme.jsonl.gz | memhall import --input - --database-url postgres://owner@localhost/memhall',
    'memhall import --from chatgpt export.zip',
    'memhall import --from chatgpt export.zip --apply',
    'memhall import --from mem0 memories.json --of alice --report left-out.jsonl',
  );
  return command.action(async (path: string | undefined, options: Options) => {
    const { from, input } = options;
    if (from !== undefined) {
      if (input !== undefined) command.error('error: --input and --from cannot be combined');
      const file = path ?? command.error("error: missing argument 'path': name what the tool exported");
      const { tenant = 'default', user = 'me' } = options;
      return importFrom(environment, file, { ...options, from, tenant, user });
    }
    if (path !== undefined)
      command.error("error: a path requires option '--from <tool>'; archives are read with --input");
    await restore(
      environment,
      options,
      input ?? command.error("error: required option '--input <file>' not specified"),
    );
  });
}

async function restore(environment: Environment, options: Options, input: string): Promise<void> {
  const config = configFrom(options, environment);
  const bar = new ProgressBar('Importing');
  const onProgress = (done: number, total: number) => bar.update(done, total);
  const report = await importArchive(config, createLogger(config.logLevel, config.logFormat), {
    input,
    onProgress,
  }).finally(() => bar.finish());
  const { header, records, added, present, leftOut } = report;
  const { tenant, user } = header;
  printCounts(options.json, 'Import complete', { tenant, user, records, added, present, left_out: leftOut });
}
