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
      "Set the language of a tenant's memories; English where none was set. A running server takes it up within a minute and analyses stored memories anew.",
    )
    .argument('<tenant>', 'id of the tenant')
    .argument('<language>', languages.join(', '));
  addStoreOptions(language);
  withExamples(language, 'memhall tenant language acme german');
  language.action(async (tenant: string, name: string, options: Record<string, unknown>) => {
    if (!isId(tenant)) throw new StartUpError(`"${tenant}" is not a valid tenant id.`);
    const config = configFrom(options, environment);
    const database = await openDatabase(config, createLogger(config.logLevel), { shareRunning: true });
    try {
      await setLanguage({ store: openStore(database), clock: systemClock }, tenant, name);
    } catch (error) {
      throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
    } finally {
      await database.close();
    }
    process.stdout.write(`Memories of ${tenant} are compared as ${name}.\n`);
  });
  return new Command('tenant').description('Settings of one tenant.').addCommand(language);
}
