import { Problem } from '@memhall/core';
import { type Caller, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Edited, insertText, replaceText } from './edit-text.js';
import { fileNamespace } from './memory-file-profile.js';
import { checkNewName, type FileRoot, type MemoryPath, toMemoryPath } from './memory-path.js';
import { moveMemoryFiles } from './move-memory-files.js';
import { getMemoryFile, showLines } from './read-memory-file.js';
import { Refusal } from './refusal.js';
import { removeMemoryFiles } from './remove-memory-files.js';
import { maxFiles } from './stored-files.js';
import { viewAround, viewDirectory, viewFile } from './view-text.js';
import { writeMemoryFile } from './write-memory-file.js';

/** What a model may ask of its files: the input of the tool `memory_20250818`. */
export type MemoryCommand =
  | { command: 'view'; path: string; view_range?: readonly number[] | undefined }
  | { command: 'create'; path: string; file_text: string }
  | { command: 'str_replace'; path: string; old_str: string; new_str?: string | undefined }
  | { command: 'insert'; path: string; insert_line: number; insert_text: string }
  | { command: 'delete'; path: string }
  | { command: 'rename'; old_path: string; new_path: string };

export interface CommandResult {
  /** For the model: the result, or why there is none. */
  text: string;
  isError: boolean;
}

/** Problems that a model can solve by giving another command. */
const forModels = [
  'CONTENT_BLOCKED',
  'DOCUMENT_SIZE_EXCEEDED',
  'SCHEMA_VALIDATION_FAILED',
  'OFF_THE_RECORD',
  'CONFLICT',
];

/** Carries out one command on the files of a root. What the model did wrong is a result too; everything else is thrown. */
export async function runMemoryCommand(
  engine: Engine,
  caller: Caller,
  root: FileRoot,
  command: MemoryCommand,
): Promise<CommandResult> {
  try {
    return { text: await run({ engine, caller, root }, command), isError: false };
  } catch (error) {
    if (error instanceof Refusal) return { text: error.message, isError: true };
    if (!(error instanceof Problem) || !forModels.includes(error.code)) throw error;
    return { text: `Error: ${error.message}`, isError: true };
  }
}

interface Context {
  engine: Engine;
  caller: Caller;
  root: FileRoot;
}

function run(context: Context, command: MemoryCommand): Promise<string> {
  switch (command.command) {
    case 'view':
      return view(context, toMemoryPath(command.path), command.view_range);
    case 'create':
      return create(context, toMemoryPath(command.path), command.file_text);
    case 'str_replace':
      return replace(context, toMemoryPath(command.path), command.old_str, command.new_str ?? '');
    case 'insert':
      return insert(context, toMemoryPath(command.path), command.insert_line, command.insert_text);
    case 'delete':
      return remove(context, toMemoryPath(command.path));
    case 'rename':
      return rename(context, toMemoryPath(command.old_path), toMemoryPath(command.new_path));
  }
}

async function view({ engine, caller, root }: Context, path: MemoryPath, range?: readonly number[]): Promise<string> {
  const { name, shown } = path;
  const prefix = name === '' ? `${root}/` : `${root}/${name}/`;
  const [file, below] = await engine.store.read(scopeOf(caller), (tables) =>
    Promise.all([
      name === '' ? undefined : getMemoryFile(tables, root, name),
      tables.artifacts.textSizes(fileNamespace, { prefix, limit: maxFiles }),
    ]),
  );
  if (file !== undefined) {
    const lines = await showLines(engine, caller, file.etag, file.text.split('\n'));
    return viewFile(shown, lines, range);
  }
  if (below.length === 0 && name !== '') {
    throw new Refusal(`The path ${shown} does not exist. Please provide a valid path.`);
  }
  const files = below.map((one) => ({ ...one, name: one.name.slice(root.length + 1) }));
  const listing = viewDirectory(name, shown, files).split('\n');
  return (await showLines(engine, caller, prefix, listing)).join('\n');
}

async function create({ engine, caller, root }: Context, path: MemoryPath, text: string): Promise<string> {
  const { name, shown } = path;
  if (name === '') throw new Refusal(`Error: The path ${shown} is a directory.`);
  checkNewName(path);
  const write = { precondition: { kind: 'absent' }, edit: () => text } as const;
  await onMismatch(`Error: File ${shown} already exists`, () => writeMemoryFile(engine, caller, root, path, write));
  return `File created successfully at: ${shown}`;
}

async function replace(context: Context, path: MemoryPath, oldText: string, newText: string): Promise<string> {
  const missing = `Error: The path ${path.shown} does not exist. Please provide a valid path.`;
  const { snippet } = await edit(context, path, missing, (text) => replaceText(path.shown, text, oldText, newText));
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
}

async function insert(context: Context, path: MemoryPath, afterLine: number, text: string): Promise<string> {
  const missing = `Error: The path ${path.shown} does not exist`;
  await edit(context, path, missing, (before) => insertText(before, afterLine, text));
  return `The file ${path.shown} has been edited.`;
}

async function edit(
  { engine, caller, root }: Context,
  path: MemoryPath,
  missing: string,
  change: (text: string) => Edited,
): Promise<{ snippet: string }> {
  if (path.name === '') throw new Refusal(missing);
  let line = 1;
  const write = {
    precondition: { kind: 'exists' },
    edit(before: string) {
      const edited = change(before);
      line = edited.line;
      return edited.text;
    },
  } as const;
  const { text, etag } = await onMismatch(missing, () => writeMemoryFile(engine, caller, root, path, write));
  return { snippet: viewAround(await showLines(engine, caller, etag, text.split('\n')), line) };
}

async function remove({ engine, caller, root }: Context, { name, shown }: MemoryPath): Promise<string> {
  if (name === '') throw new Refusal(`Error: Cannot delete the ${shown} directory itself`);
  const removed = await removeMemoryFiles(engine, caller, root, name);
  if (removed === 0) throw new Refusal(`Error: The path ${shown} does not exist`);
  return `Successfully deleted ${shown}`;
}

async function rename({ engine, caller, root }: Context, from: MemoryPath, to: MemoryPath): Promise<string> {
  if (from.name === '') throw new Refusal(`Error: Cannot rename the ${from.shown} directory itself`);
  if (to.name === '') throw new Refusal(`Error: The destination ${to.shown} already exists`);
  checkNewName(to);
  await moveMemoryFiles(engine, caller, root, from, to);
  return `Successfully renamed ${from.shown} to ${to.shown}`;
}

async function onMismatch<T>(text: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.code === 'ETAG_MISMATCH') throw new Refusal(text);
    throw error;
  }
}
