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
import { toQuarantineTable } from './operator-tables.js';
import { printAll } from './print-listed.js';
import { addJsonOption, printResult } from './report.js';
import { withEngine } from './with-engine.js';

interface Options {
  tenant: string;
  workspace?: string;
  json?: true;
}

/** What a decision led to, for people and for programs. */
interface Decided {
  text: string;
  result: object;
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
          return { text, result: { text } };
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
          return { text: `Released: ${label}`, result: { status: 'released', label } };
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
          return { text: `Deleted: ${id}`, result: { status: 'deleted' } };
        },
      ),
    );
  return withExamples(command, 'memhall quarantine list --tenant acme');
}

function listCommand(environment: Environment): Command {
  const command = ofTenant(
    new Command('list')
      .description('List quarantined texts, oldest first. The texts themselves are not included.')
      .option('--workspace <id>', 'List only texts of this workspace.'),
  );
  addJsonOption(command, 'Print one JSON object per line, as in the HTTP API.');
  addStoreOptions(command);
  withExamples(command, 'memhall quarantine list --tenant acme');
  return command.action((options: Options) =>
    withEngine(environment, options, (engine) =>
      printAll(environment, options, {
        read: (page) => listQuarantined(engine, options.tenant, { workspaceId: options.workspace, ...page }),
        toWire: toQuarantineEntry,
        toText: toQuarantineTable,
        nothing: 'Nothing is in quarantine: no text was kept from a model. See docs/operate/quarantine.md.\n',
      }),
    ),
  );
}

function decisionCommand(
  environment: Environment,
  verb: string,
  description: string,
  decide: (engine: Engine, options: Options, id: string) => Promise<Decided>,
): Command {
  const command = ofTenant(
    new Command(verb)
      .description(description)
      .argument('<id>', 'Id of the text, as listed by `memhall quarantine list`.'),
  );
  addStoreOptions(addJsonOption(command));
  withExamples(command, `memhall quarantine ${verb} 0198… --tenant acme`);
  return command.action((id: string, options: Options) =>
    withEngine(environment, options, async (engine) => {
      const { text, result } = await decide(engine, options, id);
      printResult(options.json, { quarantine_id: id, ...result }, text);
    }),
  );
}

function ofTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'Tenant that owns the texts. (required)');
}
