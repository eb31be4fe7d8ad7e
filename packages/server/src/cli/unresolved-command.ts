import { Command, Option } from 'commander';
import { type Caller, systemCaller } from '../engine/caller.js';
import { applyUnresolved, discardUnresolved } from '../engine/conversations/unresolved.js';
import { deciderOf, listUnresolvedQueue } from '../engine/conversations/unresolved-queue.js';
import type { Engine } from '../engine/engine.js';
import { toUnresolvedPatch } from '../surfaces/documents/to-unresolved-patch.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { toUnresolvedTable } from './operator-tables.js';
import { printAll } from './print-listed.js';
import { addJsonOption, printResult } from './report.js';
import { withEngine } from './with-engine.js';

interface Options {
  tenant: string;
  user?: string;
  json?: true;
}

/** What a decision led to, for people and for programs. */
interface Decided {
  text: string;
  result: object;
}

export function unresolvedCommand(environment: Environment): Command {
  const command = new Command('unresolved')
    .description('List, apply or discard patches that replays could not apply.')
    .addCommand(listCommand(environment))
    .addCommand(
      decisionCommand(
        environment,
        'apply',
        'Apply a patch to the current version of the document. Compacts the document if the patch does not fit.',
        async (engine, caller, id) => {
          const { document } = await applyUnresolved(engine, caller, id);
          const { namespace, path, version } = document;
          return { text: `Applied: ${namespace}/${path} version=${version}`, result: { namespace, path, version } };
        },
      ),
    )
    .addCommand(
      decisionCommand(environment, 'discard', 'Discard a patch without applying it.', async (engine, caller, id) => {
        await discardUnresolved(engine, caller, id);
        return { text: `Discarded: ${id}`, result: { status: 'discarded' } };
      }),
    );
  return withExamples(
    command,
    'memhall unresolved list --tenant acme',
    'memhall unresolved list --tenant acme --user alice',
  );
}

function listCommand(environment: Environment): Command {
  const command = ofTenant(
    new Command('list')
      .description('List unresolved patches of a tenant, oldest first.')
      .addOption(
        new Option(
          '--status <status>',
          'List only patches that are retried automatically (waiting) or need a decision (review).',
        ).choices(['waiting', 'review']),
      ),
    'List only patches of this user.',
  );
  addJsonOption(command, 'Print one JSON object per line, as in the HTTP API.');
  addStoreOptions(command);
  withExamples(
    command,
    'memhall unresolved list --tenant acme --status review',
    'memhall unresolved list --tenant acme --user alice',
  );
  return command.action(({ tenant, user, status, ...options }: Options & { status?: 'waiting' | 'review' }) =>
    withEngine(environment, options, (engine) =>
      printAll(environment, options, {
        read: (page) => listUnresolvedQueue(engine, tenant, { ...page, userId: user, status }),
        toWire: toUnresolvedPatch,
        toText: toUnresolvedTable,
        nothing: 'There are no unresolved patches: every replay could apply what it learned.\n',
      }),
    ),
  );
}

function decisionCommand(
  environment: Environment,
  verb: string,
  description: string,
  decide: (engine: Engine, caller: Caller, patchId: string) => Promise<Decided>,
): Command {
  const command = ofTenant(
    new Command(verb)
      .description(description)
      .argument('<patch-id>', 'Id of the patch, as listed by `memhall unresolved list`.'),
    'User that the patch belongs to. By default it is looked up.',
  );
  addStoreOptions(addJsonOption(command));
  withExamples(command, `memhall unresolved ${verb} unp_5f1c… --tenant acme`);
  return command.action((patchId: string, { tenant, user, ...options }: Options) =>
    withEngine(environment, options, async (engine) => {
      const caller = systemCaller(tenant, user ?? '', `unresolved.${verb}`);
      const decider = user === undefined ? await deciderOf(engine, caller, patchId) : caller;
      const { text, result } = await decide(engine, decider, patchId);
      printResult(options.json, { patch_id: patchId, ...result }, text);
    }),
  );
}

function ofTenant(command: Command, user: string): Command {
  return command
    .requiredOption('--tenant <id>', 'Tenant that the patches belong to. (required)')
    .option('--user <id>', user);
}
