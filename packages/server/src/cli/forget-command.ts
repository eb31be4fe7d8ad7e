import { Command } from 'commander';
import { ifPresent } from '../engine/if-present.js';
import { forgetAny } from '../engine/one-memory/change-any.js';
import { getAny } from '../engine/one-memory/find-any.js';
import { confirmInTerminal } from './ask-in-terminal.js';
import { addStoreOptions, type Environment, repeatable } from './config-options.js';
import { withExamples } from './examples.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { toMemoryTable } from './memory-table.js';
import { screenOf } from './table.js';
import { withEngine } from './with-engine.js';

interface Options extends OwnerOptions {
  copies?: true;
  yes?: true;
  json?: true;
}

export function forgetCommand(environment: Environment): Command {
  const command = new Command('forget')
    .description(
      'Forget memories permanently, and what was derived from each of them alone. On a terminal it shows them and asks first. Forgets nothing if one of them does not exist. A piece of a file, a document or a note is forgotten with that.',
    )
    .argument('<id...>', 'Ids of memories, as printed by `memhall recall` and `memhall list`.')
    .option('--copies', 'Forget further copies of the same statements, too.')
    .option('--yes', 'Do not ask.')
    .addOption(repeatable('--namespace <name>', 'Further namespace that the user writes to. Can be repeated.'))
    .option('--json', 'Print one JSON object per line with the id of each forgotten memory.');
  addStoreOptions(addOwnerOptions(command));
  withExamples(command, 'memhall forget 0198…', 'memhall forget 0198… 0199… --copies --yes');
  return command.action(async (given: string[], options: Options) => {
    const ids = [...new Set(given)];
    const member = memberOf(options, 'cli.forget');
    await withEngine(environment, options, async (engine) => {
      const memories = await Promise.all(ids.map((id) => getAny(engine, member, id)));
      if (!options.yes && process.stdin.isTTY && process.stdout.isTTY) {
        process.stdout.write(toMemoryTable(member, memories, screenOf(process.stdout, environment)));
        const which = ids.length === 1 ? 'it' : `these ${ids.length}`;
        if (!(await confirmInTerminal(`Forget ${which} permanently?`, process.stdout))) return;
      }
      for (const id of ids) {
        const how = { precondition: { kind: 'none' }, copies: options.copies === true } as const;
        // It can be gone already: as a copy of an earlier one, or derived from it.
        await ifPresent(forgetAny(engine, member, id, how));
        process.stdout.write(options.json ? `${JSON.stringify({ id })}\n` : `Forgotten: ${id}\n`);
      }
    });
  });
}
