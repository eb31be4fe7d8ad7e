import { Command } from 'commander';
import { usualConfigPath } from '../composition/open-config-file.js';
import { toConfigSchema } from '../config/config-schema.js';
import { addConfigOptions, type Environment, explainConfig } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption } from './report.js';
import { screenOf, toTable } from './table.js';
import { toLine } from './text-width.js';

interface Options {
  all?: true;
  schema?: true;
  json?: true;
}

export function configCommand(environment: Environment): Command {
  const command = new Command('config')
    .description(
      'Show the settings in use and where each comes from: a flag, a variable or the configuration file. A flag overrides its variable, a variable the file, and the file the default. Secrets are not shown.',
    )
    .option('--all', 'Also show settings that have their default value.')
    .option('--schema', 'Print the JSON Schema of the configuration file instead, for editors.');
  addConfigOptions(addJsonOption(command, 'Print one JSON object per line.'));
  withExamples(
    command,
    'memhall config',
    'memhall config --all --json',
    'memhall config --schema > config.schema.json',
  );
  return command.action((options: Options) => {
    if (options.schema) {
      process.stdout.write(`${JSON.stringify(toConfigSchema(), null, 2)}\n`);
      return;
    }
    const shown = explainConfig(options, environment).filter(({ source }) => options.all || source !== 'default');
    if (options.json) process.stdout.write(shown.map((one) => `${JSON.stringify(one)}\n`).join(''));
    else if (shown.length > 0) {
      const rows = shown.map(({ name, value, source }) => ({ id: name, cells: [source, toLine(String(value))] }));
      process.stdout.write(toTable(['FROM', 'VALUE'], rows, screenOf(process.stdout, environment), 'SETTING'));
    } else {
      process.stderr.write(
        `Every setting has its default: \`memhall config --all\` shows them. \`memhall init\` writes a configuration file to ${usualConfigPath(environment) ?? 'the file in --config'}.\n`,
      );
    }
  });
}
