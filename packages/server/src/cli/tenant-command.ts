import { isId, type OptionalLabel, Problem, StartUpError } from '@memhall/core';
import { Command } from 'commander';
import { openDatabase, openStore } from '../composition/open-database.js';
import type { Engine } from '../engine/engine.js';
import { languages } from '../engine/memories/analysis/language.js';
import { setLanguage } from '../engine/memories/set-language.js';
import { setRedaction } from '../engine/memories/set-redaction.js';
import { createLogger } from '../http/logging.js';
import { systemClock } from '../ports/clock.js';
import { addStoreOptions, configFrom, type Environment } from './config-options.js';
import { withExamples } from './examples.js';
import { addJsonOption, printResult } from './report.js';

const redactable = { cards: 'CARD_NUMBER', ibans: 'IBAN' } as const satisfies Record<string, OptionalLabel>;

export function tenantCommand(environment: Environment): Command {
  const command = new Command('tenant')
    .description('Change the settings of a tenant.')
    .addCommand(languageCommand(environment))
    .addCommand(redactionCommand(environment));
  return withExamples(command, 'memhall tenant language acme german', 'memhall tenant redaction acme cards ibans');
}

function languageCommand(environment: Environment): Command {
  const command = new Command('language')
    .description(
      "Set the language of a tenant's memories, which decides how words are matched. The default is English. A running server applies the change within a minute and re-analyzes stored memories in the background.",
    )
    .argument('<tenant>', 'Id of the tenant.')
    .argument('<language>', `Language: ${languages.join(', ')}.`);
  addStoreOptions(addJsonOption(command));
  command.action(async (tenant: string, name: string, options: { json?: true }) => {
    await changeTenant(environment, tenant, options, (engine) => setLanguage(engine, tenant, name));
    printResult(options.json, { tenant, language: name }, `The language of tenant ${tenant} is now ${name}.`);
  });
  return withExamples(command, 'memhall tenant language acme german');
}

function redactionCommand(environment: Environment): Command {
  const command = new Command('redaction')
    .description(
      'Set what is redacted for a tenant in addition to secrets: numbers of payment cards and bank accounts. The default is none. A running server applies the change within a minute; stored text stays as it is.',
    )
    .argument('<tenant>', 'Id of the tenant.')
    .argument('<what...>', `What to redact: ${Object.keys(redactable).join(', ')}, or none.`);
  addStoreOptions(addJsonOption(command));
  command.action(async (tenant: string, what: string[], options: { json?: true }) => {
    const labels = toLabels(what);
    await changeTenant(environment, tenant, options, (engine) => setRedaction(engine, tenant, labels));
    const named = labels.length === 0 ? 'Only secrets are' : `Secrets, ${what.join(' and ')} are`;
    printResult(options.json, { tenant, redacted: labels }, `${named} redacted for tenant ${tenant} from now on.`);
  });
  return withExamples(command, 'memhall tenant redaction acme cards ibans', 'memhall tenant redaction acme none');
}

function toLabels(what: readonly string[]): OptionalLabel[] {
  if (what.length === 1 && what[0] === 'none') return [];
  return what.map((name) => {
    if (!Object.hasOwn(redactable, name))
      throw new StartUpError(`Give ${Object.keys(redactable).join(', ')}, or none alone, not "${name}".`);
    return redactable[name as keyof typeof redactable];
  });
}

async function changeTenant(
  environment: Environment,
  tenant: string,
  options: object,
  change: (engine: Pick<Engine, 'store' | 'clock'>) => Promise<unknown>,
): Promise<void> {
  if (!isId(tenant))
    throw new StartUpError(`The tenant must be 1 to 128 characters of A-Z a-z 0-9 . _ : @ -, not "${tenant}".`);
  const config = configFrom(options, environment);
  const database = await openDatabase(config, createLogger(config.logLevel, config.logFormat), { shareRunning: true });
  try {
    await change({ store: openStore(database), clock: systemClock });
  } catch (error) {
    throw error instanceof Problem ? new StartUpError(error.message, { cause: error }) : error;
  } finally {
    await database.close();
  }
}
