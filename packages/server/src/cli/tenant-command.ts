import { isId, Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { openDatabase, openStore } from '../composition/open-database.js';
import { languages } from '../engine/memories/analysis/language.js';
import { setLanguage } from '../engine/memories/set-language.js';
import { createLogger } from '../http/logging.js';
import { systemClock } from '../ports/clock.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';

export function tenantCommand(environment: Environment): Command {
  const language = new Command('language')
    .description(
      "Set the language of a tenant's memories, which decides how words are matched. The default is English. A running server applies the change within a minute and re-analyzes stored memories in the background.",
    )
    .argument('<tenant>', 'Id of the tenant.')
    .argument('<language>', `Language: ${languages.join(', ')}.`);
  addStoreOptions(language);
  withExamples(language, 'memhall tenant language acme german');
  language.action(async (tenant: string, name: string, options: Record<string, unknown>) => {
    if (!isId(tenant))
      throw new StartUpError(`The tenant must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -, not "${tenant}".`);
    const config = configFrom(options, environment);
    const database = await openDatabase(config, createLogger(config.logLevel), { shareRunning: true });
    try {
      await setLanguage({ store: openStore(database), clock: systemClock }, tenant, name);
    } catch (error) {
      throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
    } finally {
      await database.close();
    }
    process.stdout.write(`The language of tenant ${tenant} is now ${name}.\n`);
  });
  const command = new Command('tenant').description('Change the settings of a tenant.').addCommand(language);
  return withExamples(command, 'memhall tenant language acme german');
}
