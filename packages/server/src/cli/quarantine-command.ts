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
  const command = new Command('quarantine')
    .description(
      'List, show, release or delete quarantined texts: texts that were removed from tiers because a model must not read them.',
    )
    .addCommand(listCommand(environment))
    .addCommand(
      decisionCommand(
        environment,
        'show',
        'Print a quarantined text verbatim. It may contain instructions aimed at a model: do not pass it to one.',
        async (engine, { tenant }, id) => {
          const { text } = await showQuarantined(engine, systemCaller(tenant, '', 'quarantine.get'), id);
          return text;
        },
      ),
    )
    .addCommand(
      decisionCommand(
        environment,
        'release',
        'Put a text back where it came from, and allow it from now on.',
        async (engine, { tenant }, id) => {
          const { label } = await releaseQuarantined(engine, systemCaller(tenant, '', 'quarantine.release'), id);
          return `Released: ${label}`;
        },
      ),
    )
    .addCommand(
      decisionCommand(
        environment,
        'delete',
        'Delete a quarantined text permanently.',
        async (engine, { tenant }, id) => {
          await deleteQuarantined(engine, systemCaller(tenant, '', 'quarantine.delete'), id);
          return `Deleted: ${id}`;
        },
      ),
    );
  return withExamples(command, 'memhall quarantine list --tenant acme');
}

function listCommand(environment: Environment): Command {
  const command = ofTenant(
    new Command('list')
      .description(
        'List quarantined texts, oldest first, one JSON object per line. The texts themselves are not included.',
      )
      .option('--workspace <id>', 'List only texts of this workspace.'),
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
  const command = ofTenant(
    new Command(verb)
      .description(description)
      .argument('<id>', 'Id of the text, as listed by `memhall quarantine list`.'),
  );
  addStoreOptions(command);
  withExamples(command, `memhall quarantine ${verb} 0198… --tenant acme`);
  return command.action((id: string, options: Options) =>
    withEngine(environment, options, async (engine) => {
      process.stdout.write(`${await decide(engine, options, id)}\n`);
    }),
  );
}

function ofTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'Tenant that owns the texts. (required)');
}
