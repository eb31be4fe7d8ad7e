import { Command, Option } from 'commander';
import { listAny } from '../engine/one-memory/find-any.js';
import { pageLimits } from '../engine/page.js';
import { toAnyMemory } from '../surfaces/one-memory/to-any-memory.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addChoiceOptions, type ChoiceOptions, countOption, toChoice } from './memory-options.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { toMemoryTable } from './memory-table.js';
import { printListed } from './print-listed.js';
import { withEngine } from './with-engine.js';

interface Options extends ChoiceOptions, Omit<OwnerOptions, 'namespace'> {
  externalId?: string;
  limit: number;
  cursor?: string;
  all?: true;
  json?: true;
}

export function listCommand(environment: Environment): Command {
  const command = new Command('list').description(
    'List memories of any surface, newest first. Can run while a server is running.',
  );
  addChoiceOptions(command)
    .option('--external-id <id>', 'Only the memory with this id of your own.')
    .addOption(countOption('--limit <number>', 'Memories per page, 1 to 100.', [1, pageLimits.max], pageLimits.default))
    .option('--cursor <cursor>', 'Continue after a page: the cursor is printed below it.')
    .addOption(new Option('--all', 'List every page.').conflicts(['limit', 'cursor']))
    .option('--json', 'Print one JSON object per line, as in the HTTP API.');
  addStoreOptions(addOwnerOptions(command));
  withExamples(
    command,
    'memhall list',
    'memhall list --kind note --tag work --from 2026-01-01',
    "memhall list --all --json | jq -r '.content'",
  );
  return command.action(async (options: Options) => {
    const member = memberOf(options, 'cli.list');
    await withEngine(environment, options, (engine) =>
      printListed(environment, options, {
        read: (page) => listAny(engine, member, { ...wantedOf(options), ...page }),
        toWire: toAnyMemory,
        toText: (memories, screen) => toMemoryTable(member, memories, screen),
        nothing: nothingFound(options),
      }),
    );
  });
}

function wantedOf(options: Options) {
  const { filter, ...choice } = toChoice(options);
  return { ...choice, filter: { ...filter, externalId: options.externalId?.normalize('NFC') } };
}

function nothingFound(options: Options): string {
  const { filter, ...choice } = wantedOf(options);
  const isChoosy = Object.values({ ...choice, ...filter }).some((value) => value !== undefined);
  return isChoosy
    ? 'There are no such memories. Try fewer options, or `memhall list`.\n'
    : 'There are no memories yet. Store one with `memhall remember`.\n';
}
