import { Command } from 'commander';
import { systemCaller } from '../engine/caller.js';
import { applyUnresolved, discardUnresolved, listUnresolved } from '../engine/conversations/unresolved.js';
import type { Engine } from '../engine/engine.js';
import { toUnresolvedPatch } from '../surfaces/documents/to-unresolved-patch.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { printPages } from './print-pages.js';
import { withEngine } from './with-engine.js';

interface Options {
  tenant: string;
  user: string;
}

export function unresolvedCommand(environment: Environment): Command {
  const command = new Command('unresolved')
    .description('List, apply or discard patches that replays could not apply.')
    .addCommand(listCommand(environment))
    .addCommand(
      decisionCommand(
        environment,
        'apply',
        'Apply a patch to the current version of the document.',
        async (engine, options, id) => {
          const caller = systemCaller(options.tenant, options.user, 'unresolved.apply');
          const { document } = await applyUnresolved(engine, caller, id);
          return `Applied: ${document.namespace}/${document.path} version=${document.version}`;
        },
      ),
    )
    .addCommand(
      decisionCommand(environment, 'discard', 'Discard a patch without applying it.', async (engine, options, id) => {
        await discardUnresolved(engine, systemCaller(options.tenant, options.user, 'unresolved.discard'), id);
        return `Discarded: ${id}`;
      }),
    );
  return withExamples(command, 'memhall unresolved list --tenant acme --user alice');
}

function listCommand(environment: Environment): Command {
  const command = ofUser(
    new Command('list').description('List unresolved patches, oldest first, one JSON object per line.'),
  );
  addStoreOptions(command);
  withExamples(command, 'memhall unresolved list --tenant acme --user alice');
  return command.action((options: Options) =>
    withEngine(environment, options, (engine) => {
      const caller = systemCaller(options.tenant, options.user, 'unresolved.list');
      return printPages((page) => listUnresolved(engine, caller, page), toUnresolvedPatch);
    }),
  );
}

function decisionCommand(
  environment: Environment,
  verb: string,
  description: string,
  decide: (engine: Engine, options: Options, patchId: string) => Promise<string>,
): Command {
  const command = ofUser(
    new Command(verb)
      .description(description)
      .argument('<patch-id>', 'Id of the patch, as listed by `memhall unresolved list`.'),
  );
  addStoreOptions(command);
  withExamples(command, `memhall unresolved ${verb} unp_01J… --tenant acme --user alice`);
  return command.action((patchId: string, options: Options) =>
    withEngine(environment, options, async (engine) => {
      process.stdout.write(`${await decide(engine, options, patchId)}\n`);
    }),
  );
}

function ofUser(command: Command): Command {
  return command
    .requiredOption('--tenant <id>', 'Tenant of the user. (required)')
    .requiredOption('--user <id>', 'User whose documents the patches change. (required)');
}
