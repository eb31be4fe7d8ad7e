import type { Command, Option } from 'commander';
import { type Settings, settings } from '../config/settings.js';

/** What can follow on a command line. */
export interface CommandNode {
  /** The words that lead to it: `memhall jobs list`. */
  path: string;
  commands: { name: string; summary: string }[];
  options: OptionNode[];
  /** Values of the first argument, if it has a list of them. */
  choices: readonly string[];
}

export interface OptionNode {
  /** Without dashes. */
  long: string;
  short: string | undefined;
  summary: string;
  value: 'none' | 'text' | 'file' | 'directory';
  choices: readonly string[];
}

/** Returns a command and all its subcommands, with their options. */
export function toNodes(command: Command, before = ''): CommandNode[] {
  const path = `${before}${command.name()}`;
  const help = command.createHelp();
  const node: CommandNode = {
    path,
    commands: command.commands.map((child) => ({
      name: child.name(),
      summary: firstSentence(help.subcommandDescription(child)),
    })),
    options: help.visibleOptions(command).map(toOption),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
  return [node, ...command.commands.flatMap((child) => toNodes(child, `${path} `))];
}

function toOption(option: Option): OptionNode {
  const { long = '', short, description, flags } = option;
  const [, place = ''] = /[<[]([^>\]]*)/.exec(flags) ?? [];
  return {
    long: long.replace(/^--/, ''),
    short: short?.replace(/^-/, ''),
    summary: firstSentence(description),
    value: kindOfValue(place),
    choices: option.argChoices ?? choicesOfSetting(flags),
  };
}

function kindOfValue(place: string): OptionNode['value'] {
  if (place === '') return 'none';
  if (place === 'directory') return 'directory';
  return /^(file|path)/.test(place) ? 'file' : 'text';
}

/** The values of a setting are checked together with all others, so its option does not know them. */
function choicesOfSetting(flags: string): readonly string[] {
  const setting = Object.values(settings).find((one: Settings[keyof Settings]) => 'flag' in one && one.flag === flags);
  const schema = setting?.schema as { enum?: string[]; anyOf?: { enum?: string[] }[] } | undefined;
  return schema?.enum ?? schema?.anyOf?.flatMap((one) => one.enum ?? []) ?? [];
}

function firstSentence(text: string): string {
  return (/^.*?(?=[.:;](\s|$)|$)/su.exec(text)?.[0] ?? text).replace(/\s+/g, ' ').slice(0, 80);
}
