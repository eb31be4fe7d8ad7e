import { Command } from 'commander';
import { systemCaller } from '../engine/caller.js';
import type { Engine } from '../engine/engine.js';
import {
  deleteQuarantined,
  listQuarantined,
  releaseQuarantined,
  showQuarantined,
} from '../engine/tiers/quarantine-decisions.js';
import { toQuarantineEntry } from '../surfaces/provider/to-quarantine-entry.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { printPages } from './print-pages.js';
import { withEngine } from './with-engine.js';

interface Options {
  tenant: string;
  workspace?: string;
}

export function quarantineCommand(environment: Environment): Command {
  return new Command('quarantine')
    .description('Decide about texts that were taken out of tiers, since a model must not read them.')
    .addCommand(listCommand(environment))
    .addCommand(
      decisionCommand(environment, 'show', 'Print a text as it is.', async (engine, { tenant }, id) => {
        const { text } = await showQuarantined(engine, systemCaller(tenant, '', 'quarantine.get'), id);
        return text;
      }),
    )
    .addCommand(
      decisionCommand(
        environment,
        'release',
        'Put a text back, and let it pass from now on.',
        async (engine, { tenant }, id) => {
          const { label } = await releaseQuarantined(engine, systemCaller(tenant, '', 'quarantine.release'), id);
          return `Released: ${label}`;
        },
      ),
    )
    .addCommand(
      decisionCommand(environment, 'delete', 'Delete a text for good.', async (engine, { tenant }, id) => {
        await deleteQuarantined(engine, systemCaller(tenant, '', 'quarantine.delete'), id);
        return `Deleted: ${id}`;
      }),
    );
}

function listCommand(environment: Environment): Command {
  const command = ofTenant(
    new Command('list')
      .description('Show what is there, oldest first, one JSON line each, without the texts.')
      .option('--workspace <id>', 'only of this workspace'),
  );
  addStoreOptions(command);
  withExamples(command, 'memhall quarantine list --tenant acme');
  return command.action((options: Options) =>
    withEngine(environment, options, (engine) =>
      printPages(
        (page) => listQuarantined(engine, options.tenant, { workspaceId: options.workspace, ...page }),
        toQuarantineEntry,
      ),
    ),
  );
}

function decisionCommand(
  environment: Environment,
  verb: string,
  description: string,
  decide: (engine: Engine, options: Options, id: string) => Promise<string>,
): Command {
  const command = ofTenant(new Command(verb).description(description).argument('<id>', 'as `list` shows it'));
  addStoreOptions(command);
  withExamples(command, `memhall quarantine ${verb} 0198… --tenant acme`);
  return command.action((id: string, options: Options) =>
    withEngine(environment, options, async (engine) => {
      process.stdout.write(`${await decide(engine, options, id)}\n`);
    }),
  );
}

function ofTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'whose tenant');
}
