import { Problem } from '@memhall/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { memoryKinds } from '../engine/memories/kinds.js';
import { readScopes } from '../engine/one-memory/reading.js';
import { toMoment } from '../http/moment.js';
import type { MemoryFilter } from '../ports/memories.js';
import { addConfigOptions, repeatable } from './config-options.js';

/** Options that choose memories. */
export interface ChoiceOptions {
  scope: (typeof readScopes)[number][];
  kind: string[];
  namespace: string[];
  tag: string[];
  session?: string;
  from?: Date;
  to?: Date;
}

const dayForm = /^\d{4}-\d\d-\d\d$/;
const momentForm = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

export function addChoiceOptions(command: Command): Command {
  return command
    .addOption(
      repeatableChoice(
        '--scope <scope>',
        `Only these: own (what the user wrote or owns), shared (of the workspace, teams and namespaces), public. Can be repeated.`,
        readScopes,
      ),
    )
    .addOption(
      repeatableChoice('--kind <kind>', 'Only memories of this kind. Can be repeated.', Object.keys(memoryKinds)),
    )
    .addOption(repeatable('--namespace <name>', 'Only memories in this namespace. Can be repeated.'))
    .addOption(repeatable('--tag <tag>', 'Only memories with this tag. Can be repeated: one of them is enough.'))
    .option('--session <id>', 'Only memories of this session.')
    .addOption(momentOption('--from <date>', 'Only what happened at this time or later'))
    .addOption(momentOption('--to <date>', 'Only what happened up to this time; a day counts in full', 'end'));
}

/** Adds the flags of commands that read texts: the store and what turns text into vectors. */
export function addTextOptions(command: Command): Command {
  return addConfigOptions(command, ['dataDirectory', 'databaseUrl', 'embedder', 'logLevel', 'logFormat']);
}

export function toChoice({ scope, kind, namespace, tag, session, from, to }: ChoiceOptions) {
  const filter: MemoryFilter = {
    kinds: ifAny(kind),
    tags: ifAny(tag),
    sessionIds: session === undefined ? undefined : [session],
    occurredFrom: from,
    occurredTo: to && new Date(to.getTime() + 1),
  };
  return { scopes: ifAny(scope), namespaces: ifAny(namespace), filter };
}

export function momentOption(flags: string, description: string, partOfDay: 'start' | 'end' = 'start'): Option {
  const time = partOfDay === 'start' ? 'T00:00:00Z' : 'T23:59:59.999Z';
  const parse = (text: string) => {
    const moment = dayForm.test(text) ? `${text}${time}` : text;
    if (!momentForm.test(moment)) throw new InvalidArgumentError('Write 2026-11-18 or 2026-11-18T09:30:00Z.');
    try {
      return toMoment('the date', moment);
    } catch (error) {
      if (error instanceof Problem) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
  return new Option(flags, `${description}. A day (UTC) or an RFC 3339 timestamp.`).argParser(parse);
}

export function countOption(flags: string, description: string, [lowest, highest]: [number, number], standard: number) {
  const parse = (text: string) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (count >= lowest && count <= highest) return count;
    throw new InvalidArgumentError(`It must be between ${lowest} and ${highest}.`);
  };
  return new Option(flags, description).argParser(parse).default(standard);
}

function repeatableChoice(flags: string, description: string, choices: readonly string[]): Option {
  const collect = (value: string, previous: string[]) => {
    if (choices.includes(value)) return [...previous, value];
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  };
  return new Option(flags, description).argParser(collect).default([], 'all');
}

function ifAny<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
