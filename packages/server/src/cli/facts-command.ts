import { Command, Option } from 'commander';
import { listFacts } from '../engine/facts/read-facts.js';
import { pageLimits } from '../engine/page.js';
import { toFact } from '../surfaces/one-memory/to-fact.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addFactOptions, type FactCommandOptions, readerOf } from './fact-options.js';
import { toFactTable } from './fact-table.js';
import { countOption } from './memory-options.js';
import { printListed } from './print-listed.js';
import { withEngine } from './with-engine.js';

interface Options extends FactCommandOptions {
  subject?: string;
  attribute?: string;
  past?: true;
  limit: number;
  cursor?: string;
  all?: true;
}

export function factsCommand(environment: Environment): Command {
  const command = new Command('facts')
    .description('List what is true, last recorded first, and on whose word. Can run while a server is running.')
    .option('--subject <name>', 'Only facts about this subject, by any of its names; "me" is the user.')
    .option('--attribute <name>', 'Only facts with this attribute, such as "lives in".')
    .option('--past', 'Include facts that are over.')
    .addOption(countOption('--limit <number>', 'Facts per page, 1 to 100.', [1, pageLimits.max], pageLimits.default))
    .option('--cursor <cursor>', 'Continue after a page: the cursor is printed below it.')
    .addOption(new Option('--all', 'List every page.').conflicts(['limit', 'cursor']));
  addStoreOptions(addFactOptions(command));
  withExamples(
    command,
    'memhall facts --subject me',
    "memhall facts --attribute 'lives in' --past",
    'memhall facts --as-of 2022-06-30 --json',
  );
  return command.action((options: Options) =>
    withEngine(environment, options, (engine) => {
      const { subject, attribute, past: includeSuperseded, asOf, knownAt } = options;
      const caller = readerOf(options, 'cli.facts');
      const isEvery = [subject, attribute, includeSuperseded, asOf, knownAt].every((given) => given === undefined);
      return printListed(environment, options, {
        read: (page) => listFacts(engine, caller, { subject, attribute, includeSuperseded, asOf, knownAt, ...page }),
        toWire: toFact,
        toText: toFactTable,
        nothing: isEvery
          ? 'There are no facts that hold now. Remember one, such as "I live in Oslo.", or add `--past`.\n'
          : 'There are no such facts. Try fewer options, or `--past`.\n',
      });
    }),
  );
}
