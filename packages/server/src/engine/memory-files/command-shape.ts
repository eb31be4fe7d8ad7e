import { Problem } from '@memhall/core';
import { type Static, Type } from 'typebox';
import type { MemoryCommand } from './run-memory-command.js';

const Path = (what: string) => Type.Optional(Type.String({ maxLength: 4096, description: what }));

/** The input of the memory tool. Which members a command needs depends on the command. */
export const commandMembers = {
  command: Type.Enum(['view', 'create', 'str_replace', 'insert', 'delete', 'rename']),
  path: Path('Path of a file or directory, such as /memories/notes.md. For all commands but rename'),
  view_range: Type.Optional(
    Type.Array(Type.Integer(), {
      maxItems: 2,
      description: 'For view of a file: the first and the last line to show; -1 as the last stands for the end',
    }),
  ),
  file_text: Type.Optional(Type.String({ description: 'For create: the content of the file' })),
  old_str: Type.Optional(Type.String({ description: 'For str_replace: the text to replace. It must occur once' })),
  new_str: Type.Optional(Type.String({ description: 'For str_replace: what takes its place; default: nothing' })),
  insert_line: Type.Optional(
    Type.Integer({ description: 'For insert: the line after which to insert; 0 is the beginning of the file' }),
  ),
  insert_text: Type.Optional(Type.String({ description: 'For insert: the lines to insert' })),
  old_path: Path('For rename: the present path of a file or directory'),
  new_path: Path('For rename: its new path. Nothing may be there'),
};

const CommandBody = Type.Object(commandMembers);
type CommandInput = Static<typeof CommandBody>;

const needed = {
  view: ['path'],
  create: ['path', 'file_text'],
  str_replace: ['path', 'old_str'],
  insert: ['path', 'insert_line', 'insert_text'],
  delete: ['path'],
  rename: ['old_path', 'new_path'],
} as const satisfies Record<MemoryCommand['command'], readonly (keyof CommandInput)[]>;

const optional: Partial<Record<MemoryCommand['command'], readonly (keyof CommandInput)[]>> = {
  view: ['view_range'],
  str_replace: ['new_str'],
};

/** Throws INVALID_REQUEST if a member that the command needs is missing, or one is given that it does not have. */
export function toMemoryCommand(input: CommandInput): MemoryCommand {
  const { command } = input;
  const own: readonly (keyof CommandInput)[] = [...needed[command], ...(optional[command] ?? [])];
  const missing = needed[command].filter((name) => input[name] === undefined);
  if (missing.length > 0) {
    throw new Problem('INVALID_REQUEST', `${command} needs ${missing.join(' and ')}.`, { details: { missing } });
  }
  const members = Object.keys(commandMembers) as (keyof CommandInput)[];
  const foreign = members.filter((name) => name !== 'command' && input[name] !== undefined && !own.includes(name));
  if (foreign.length > 0) {
    throw new Problem('INVALID_REQUEST', `${command} does not have ${foreign.join(' or ')}.`, { details: { foreign } });
  }
  const given = Object.fromEntries(own.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])));
  return { command, ...given } as MemoryCommand;
}
