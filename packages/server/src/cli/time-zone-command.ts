import { Command } from 'commander';
import { getUserSettings, putUserSettings } from '../engine/users/user-settings.js';
import { addStoreOptions, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addOwnerOptions, memberOf, type OwnerOptions } from './memory-owner.js';
import { addJsonOption, printResult } from './report.js';
import { withEngine } from './with-engine.js';

export function timeZoneCommand(environment: Environment): Command {
  const command = new Command('time-zone')
    .description(
      'Show or set the time zone of a user: days and weeks in what the user says and asks are those of this zone. The default is UTC. A running server applies a change within half a minute.',
    )
    .argument('[name]', 'IANA name of the zone, such as Europe/Oslo. Without it, print the zone in use.');
  addStoreOptions(addOwnerOptions(addJsonOption(command, 'Print the zone as JSON.')));
  withExamples(command, 'memhall time-zone', 'memhall time-zone Europe/Oslo --user ann');
  return command.action((name: string | undefined, options: OwnerOptions & { json?: true }) =>
    withEngine(environment, options, async (engine) => {
      const caller = memberOf(options, 'cli.time-zone');
      const { timeZone } =
        name === undefined
          ? await getUserSettings(engine, caller)
          : await putUserSettings(engine, caller, { timeZone: name });
      printResult(options.json, { time_zone: timeZone }, timeZone);
    }),
  );
}
