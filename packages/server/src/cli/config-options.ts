import { type Command, Option } from 'commander';
import { openConfigFile } from '../composition/open-config-file.js';
import { type ExplainedSetting, explainSettings, readConfig } from '../config/read-config.js';
import type { Setting } from '../config/setting.js';
import { type Config, type Settings, settings } from '../config/settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that every command which finds the store has flags of. */
export const storeSettings = [
  'dataDirectory',
  'databaseUrl',
  'logLevel',
  'logFormat',
] as const satisfies readonly (keyof Settings)[];

/** Settings whose flags `memhall serve` does not have: of `memhall worker`, and of `memhall mcp`. */
const flagsOfOthers = ['metricsHost', 'metricsPort', 'mcpTools'] as const satisfies readonly (keyof Settings)[];

function optionOf(setting: Setting<unknown>): Option | undefined {
  if (setting.flag === undefined) return undefined;
  const fallback = setting.defaultText ?? setting.default;
  const shown = fallback === undefined ? '' : ` (default: ${fallback})`;
  return new Option(setting.flag, `${setting.description}${shown} [${setting.env}]`);
}

/** Adds the flags of the given settings, by default of every setting of a server, and the one that names a configuration file. */
export function addConfigOptions(command: Command, names: readonly (keyof Settings)[] = serverNames()): Command {
  for (const name of names) {
    const option = optionOf(settings[name]);
    if (option !== undefined) command.addOption(option);
  }
  return command.option(
    '--config <file>',
    'Configuration file; `off` reads none. (default: memhall/config.json in $XDG_CONFIG_HOME or ~/.config, if there is one) [MEMHALL_CONFIG]',
  );
}

/** Adds the flags of a command that only needs to find the store. */
export function addStoreOptions(command: Command): Command {
  return addConfigOptions(command, storeSettings);
}

/** An option that can be given several times. Its value is a list, empty by default. */
export function repeatable(flags: string, description: string): Option {
  const collect = (value: string, previous: string[]) => [...previous, value];
  return new Option(flags, description).argParser(collect).default([], 'none');
}

/** Returns the configuration of a server or a worker. */
export function serverConfigFrom(options: object, environment: Environment): Config {
  return configWith({}, options, environment);
}

/** Returns the configuration of any other command. People read what it prints, so only warnings are logged unless they ask for more. */
export function configFrom(options: object, environment: Environment): Config {
  return configWith({ logLevel: 'warn' }, options, environment);
}

/** Returns each setting as text, with where it comes from. Secrets are not shown. */
export function explainConfig(options: object, environment: Environment): ExplainedSetting[] {
  return explainSettings(...sourcesOf({}, options, environment));
}

function configWith(defaults: { logLevel?: string }, options: object, environment: Environment): Config {
  return readConfig(...sourcesOf(defaults, options, environment));
}

function sourcesOf(
  defaults: { logLevel?: string },
  options: object,
  environment: Environment,
): Parameters<typeof readConfig> {
  const given = new Map<string, unknown>(Object.entries(options));
  const flags: Record<string, string> = {};
  for (const name of allNames()) {
    const value = given.get(optionOf(settings[name])?.attributeName() ?? '');
    if (typeof value === 'string') flags[name] = value;
    // Commander always sets a value for a `--no-x` option, so the flag was given only if the value is not the default.
    if (typeof value === 'boolean' && value !== settings[name].default) flags[name] = String(value);
  }
  const path = given.get('config');
  const file = openConfigFile(typeof path === 'string' ? path : undefined, environment);
  return [flags, environment, { path: '', ...file, values: { ...defaults, ...file?.values } }];
}

function serverNames(): (keyof Settings)[] {
  return allNames().filter((name) => !flagsOfOthers.some((one) => one === name));
}

function allNames(): (keyof Settings)[] {
  return Object.keys(settings) as (keyof Settings)[];
}
