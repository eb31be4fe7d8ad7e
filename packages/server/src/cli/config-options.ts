import { type Command, Option } from 'commander';
import { readConfig } from '../config/read-config.js';
import type { Setting } from '../config/setting.js';
import { type Config, type Settings, settings } from '../config/settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const storeSettings = ['dataDirectory', 'databaseUrl', 'logLevel'] as const satisfies readonly (keyof Settings)[];

/** Settings whose flags `memhall serve` does not have: of `memhall worker`, and of `memhall mcp`. */
const flagsOfOthers = ['metricsHost', 'metricsPort', 'mcpTools'] as const satisfies readonly (keyof Settings)[];

function optionOf(setting: Setting<unknown>): Option | undefined {
  if (setting.flag === undefined) return undefined;
  const fallback = setting.defaultText ?? setting.default;
  const shown = fallback === undefined ? '' : ` (default: ${fallback})`;
  return new Option(setting.flag, `${setting.description}${shown} [${setting.env}]`);
}

/** Adds the flags of the given settings, by default of every setting of a server. */
export function addConfigOptions(command: Command, names: readonly (keyof Settings)[] = serverNames()): Command {
  for (const name of names) {
    const option = optionOf(settings[name]);
    if (option !== undefined) command.addOption(option);
  }
  return command;
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

export function configFrom(options: Record<string, unknown>, environment: Environment): Config {
  const flags: Record<string, string> = {};
  for (const name of allNames()) {
    const attribute = optionOf(settings[name])?.attributeName();
    const given = attribute === undefined ? undefined : options[attribute];
    if (typeof given === 'string') flags[name] = given;
    // Commander always sets a value for a `--no-x` option, so the flag was given only if the value is not the default.
    if (typeof given === 'boolean' && given !== settings[name].default) flags[name] = String(given);
  }
  return readConfig(flags, environment);
}

function serverNames(): (keyof Settings)[] {
  return allNames().filter((name) => !flagsOfOthers.some((one) => one === name));
}

function allNames(): (keyof Settings)[] {
  return Object.keys(settings) as (keyof Settings)[];
}
