import { Command, Option } from 'commander';
import type { Caller } from '../engine/caller.js';
import type { Engine } from '../engine/engine.js';
import { mergeSubjects, splitSubject } from '../engine/facts/merge-subjects.js';
import { getSubject, listSubjects, type SubjectPage } from '../engine/facts/read-subjects.js';
import { pageLimits } from '../engine/page.js';
import { toSubject, toSubjectSummary } from '../surfaces/one-memory/to-subject.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addFactOptions, type FactCommandOptions, readerOf } from './fact-options.js';
import { toSubjectTable, toSubjectText } from './fact-table.js';
import { countOption } from './memory-options.js';
import { addOwnerOptions, type OwnerOptions } from './memory-owner.js';
import { printListed } from './print-listed.js';
import { screenOf } from './table.js';
import { withEngine } from './with-engine.js';

interface ListOptions extends FactCommandOptions {
  limit: number;
  cursor?: string;
  all?: true;
}

export function subjectsCommand(environment: Environment): Command {
  const command = new Command('subjects')
    .description('List, show, merge and split what facts are about: people, places, projects and things.')
    .addCommand(listCommand(environment), { isDefault: true })
    .addCommand(showCommand(environment))
    .addCommand(
      changeCommand(
        environment,
        'merge',
        'Make another name mean the same subject. Both then share one timeline. Can be taken back with split.',
        mergeSubjects,
      ),
    )
    .addCommand(changeCommand(environment, 'split', 'Take back a merge, and restore what it changed.', splitSubject));
  return withExamples(
    command,
    'memhall subjects',
    'memhall subjects show Anna',
    'memhall subjects merge Anna Mum',
    'memhall subjects split Anna Mum',
  );
}

function listCommand(environment: Environment): Command {
  const command = new Command('list')
    .description('List subjects by name, with how many facts each has.')
    .addOption(countOption('--limit <number>', 'Subjects per page, 1 to 100.', [1, pageLimits.max], pageLimits.default))
    .option('--cursor <cursor>', 'Continue after a page: the cursor is printed below it.')
    .addOption(new Option('--all', 'List every page.').conflicts(['limit', 'cursor']));
  addStoreOptions(addFactOptions(command));
  withExamples(command, 'memhall subjects list --all', "memhall subjects list --json | jq -r '.subject'");
  return command.action((options: ListOptions) =>
    withEngine(environment, options, (engine) => {
      const { asOf, knownAt } = options;
      const caller = readerOf(options, 'cli.subjects');
      return printListed(environment, options, {
        read: (page) => listSubjects(engine, caller, { asOf, knownAt, ...page }),
        toWire: toSubjectSummary,
        toText: toSubjectTable,
        nothing: 'There are no facts yet.\n',
      });
    }),
  );
}

function showCommand(environment: Environment): Command {
  const command = new Command('show')
    .description('Show what is true of a subject, what happened, and who says so.')
    .argument('<subject>', 'Any name of the subject; "me" is the user.');
  addStoreOptions(addFactOptions(command));
  withExamples(command, 'memhall subjects show me', 'memhall subjects show Anna --as-of 2022-06-30');
  return command.action((subject: string, options: FactCommandOptions) =>
    withEngine(environment, options, async (engine) => {
      const page = await getSubject(engine, readerOf(options, 'cli.subjects'), subject, options);
      print(environment, page, options);
    }),
  );
}

function changeCommand(
  environment: Environment,
  verb: 'merge' | 'split',
  description: string,
  change: (engine: Engine, caller: Caller, subject: string, alias: string) => Promise<void>,
): Command {
  const command = new Command(verb)
    .description(description)
    .argument('<subject>', 'The subject, by any of its names.')
    .argument('<alias>', verb === 'merge' ? 'The name that means the same.' : 'The name that means something else.')
    .option('--json', 'Print the page of the subject as JSON, as in the HTTP API.');
  addStoreOptions(addOwnerOptions(command));
  withExamples(command, `memhall subjects ${verb} Anna Mum`);
  return command.action((subject: string, alias: string, options: OwnerOptions & { json?: true }) =>
    withEngine(environment, options, async (engine) => {
      const caller = readerOf(options, `cli.${verb}-subjects`);
      await change(engine, caller, subject, alias);
      print(environment, await getSubject(engine, caller, subject), options);
    }),
  );
}

function print(environment: Environment, page: SubjectPage, { json }: { json?: true }): void {
  const text = json
    ? `${JSON.stringify(toSubject(page))}\n`
    : toSubjectText(page, screenOf(process.stdout, environment));
  process.stdout.write(text);
}
