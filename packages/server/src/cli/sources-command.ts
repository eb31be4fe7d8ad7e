import { uuidv7 } from '@memhall/core';
import { Command, Option } from 'commander';
import type { Caller } from '../engine/caller.js';
import type { RevertCounts } from '../engine/sources/revert-counts.js';
import { revertSource } from '../engine/sources/revert-source.js';
import { listReverts, undoRevert } from '../engine/sources/undo-revert.js';
import { type SurfaceName, surfaceNames } from '../ports/memory-origin.js';
import { toSourceRevert } from '../surfaces/one-memory/to-source-revert.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { momentOption } from './memory-options.js';
import { toRevertTable } from './operator-tables.js';
import { printAll } from './print-listed.js';
import { addJsonOption, printResult } from './report.js';
import { withEngine } from './with-engine.js';

interface RevertOptions {
  tenant: string;
  author?: string;
  surface?: SurfaceName;
  namespace?: string;
  resource?: string;
  from?: Date;
  to?: Date;
  apply?: true;
  json?: true;
}

export function sourcesCommand(environment: Environment): Command {
  const command = new Command('sources')
    .description('Take back everything that a source wrote or caused, and restore it.')
    .addCommand(revertCommand(environment))
    .addCommand(listCommand(environment))
    .addCommand(undoCommand(environment));
  return withExamples(
    command,
    'memhall sources revert --tenant acme --author scraper',
    'memhall sources revert --tenant acme --author scraper --apply',
  );
}

function revertCommand(environment: Environment): Command {
  const command = ofTenant(new Command('revert'))
    .description(
      'Take back the memories, facts and patches of a source. Without --apply, only count them. Can be undone for 30 days.',
    )
    .option('--author <id>', 'Who wrote: a user, or a service without one.')
    .option('--namespace <name>', 'Only memories in this namespace.')
    .option('--resource <id>', 'Only what was made from this file. The file itself stays.')
    .addOption(new Option('--surface <name>', 'Only what was written by this way.').choices([...surfaceNames]))
    .addOption(momentOption('--from <date>', 'Only what was recorded at this time or later'))
    .addOption(momentOption('--to <date>', 'Only what was recorded up to this time; a day counts in full', 'end'))
    .option('--apply', 'Take it back.')
    .option('--json', 'Print JSON, as in the HTTP API.');
  addStoreOptions(command);
  withExamples(command, 'memhall sources revert --tenant acme --author scraper --from 2026-11-01 --apply');
  return command.action((options: RevertOptions) =>
    withEngine(environment, options, async (engine) => {
      const { author, surface, namespace, resource: resourceId, from, to } = options;
      const filter = { author, surface, namespace, resourceId, from, to };
      const isTrial = options.apply !== true;
      const { revertId, counts } = await revertSource(engine, operatorOf(options, 'revert'), filter, isTrial);
      if (options.json) {
        process.stdout.write(`${JSON.stringify({ revert_id: revertId, dry_run: isTrial, counts })}\n`);
        return;
      }
      process.stdout.write(`${isTrial ? 'Would take back' : 'Took back'}: ${sayCounts(counts)}\n`);
      process.stdout.write(
        isTrial
          ? 'Nothing was changed. Add --apply to take it back.\n'
          : `Restore it with: memhall sources undo ${revertId} --tenant ${options.tenant}\n`,
      );
    }),
  );
}

function listCommand(environment: Environment): Command {
  const command = ofTenant(new Command('list')).description(
    'List what was taken back and can be restored, newest first.',
  );
  addJsonOption(command, 'Print one JSON object per line, as in the HTTP API.');
  addStoreOptions(command);
  withExamples(command, 'memhall sources list --tenant acme');
  return command.action((options: { tenant: string; json?: true }) =>
    withEngine(environment, options, (engine) =>
      printAll(environment, options, {
        read: (page) => listReverts(engine, operatorOf(options, 'list'), page),
        toWire: toSourceRevert,
        toText: toRevertTable,
        nothing: 'Nothing was taken back in the last 30 days. Take back a source with `memhall sources revert`.\n',
      }),
    ),
  );
}

function undoCommand(environment: Environment): Command {
  const command = ofTenant(new Command('undo'))
    .description('Restore what was taken back from a source.')
    .argument('<id>', 'Id that `memhall sources revert` printed.');
  addJsonOption(command, 'Print the counts as JSON.');
  addStoreOptions(command);
  withExamples(command, 'memhall sources undo 0198… --tenant acme');
  return command.action((id: string, options: { tenant: string; json?: true }) =>
    withEngine(environment, options, async (engine) => {
      const counts = await undoRevert(engine, operatorOf(options, 'undo'), id);
      printResult(options.json, { revert_id: id, counts }, `Restored: ${sayCounts(counts)}`);
    }),
  );
}

function ofTenant(command: Command): Command {
  return command.requiredOption('--tenant <id>', 'Tenant of the source. (required)');
}

function operatorOf({ tenant }: { tenant: string }, verb: string): Caller {
  const actor = { userId: null, serviceId: 'memhall', roles: ['admin' as const] };
  return { tenantId: tenant, userId: '', actor, operation: `cli.${verb}-source`, requestId: uuidv7() };
}

function sayCounts({ users, memories, facts, restored, patches, unresolved }: RevertCounts): string {
  const parts = [
    `${memories} memories, ${facts} facts and ${patches} patches of ${users} users`,
    ...(restored > 0 ? [`${restored} facts are as before`] : []),
    ...(unresolved > 0 ? [`${unresolved} patches wait for a decision`] : []),
  ];
  return `${parts.join('; ')}.`;
}
