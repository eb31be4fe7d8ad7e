import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TomlTable } from 'smol-toml';
import type { CodingClient } from './client-files.js';
import { editJson, readJson } from './edit-json.js';
import { editToml, readToml } from './edit-toml.js';

/** What a file is and what it is to become. undefined: there is no file. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Path of a copy of the file as it was before the entry was added. */
  backup: string;
  /** What becomes of that copy. */
  backupIs: 'written' | 'kept' | 'removed';
}

type Entry = { [member: string]: unknown };

/** Plans to add the entry, or to replace the one of that name. Throws StartUpError if the file cannot be read. */
export function planEntry(client: CodingClient, file: string, name: string, entry: Entry): FileChange {
  const { path, text, backup } = read(file);
  const present = text === undefined ? undefined : entryOf(client, path, text, name);
  const original = originalOf(client, { path, text, backup }, name, present);
  const after = withEntry(client, path, original === undefined ? text : original.text, name, entry);
  return { path, before: text, after, backup, backupIs: present === undefined ? 'written' : 'kept' };
}

/**
 * Plans to remove the entry. If nothing else has changed since it was added, the file becomes exactly what it was.
 * Returns undefined if there is no such entry.
 */
export function planRemoval(client: CodingClient, file: string, name: string): FileChange | undefined {
  const { path, text, backup } = read(file);
  const entry = text === undefined ? undefined : entryOf(client, path, text, name);
  if (text === undefined || entry === undefined) return undefined;
  const original = originalOf(client, { path, text, backup }, name, entry);
  const after = original === undefined ? withoutEntry(client, path, text, name) : original.text;
  return { path, before: text, after, backup, backupIs: 'removed' };
}

interface ReadFile {
  path: string;
  text: string | undefined;
  backup: string;
}

/** Returns what the file was before the entry was added; undefined if something else has changed since. */
function originalOf(
  client: CodingClient,
  { path, text, backup }: ReadFile,
  name: string,
  entry: Entry | undefined,
): Pick<ReadFile, 'text'> | undefined {
  if (entry === undefined) return undefined;
  const original = existsSync(backup) ? readFileSync(backup, 'utf8') : undefined;
  return withEntry(client, path, original, name, entry) === text ? { text: original } : undefined;
}

function read(file: string): ReadFile {
  const given = resolve(file);
  // Dotfiles are often links into a repository: the link stays.
  const path = existsSync(given) ? realpathSync(given) : given;
  return { path, text: existsSync(path) ? readFileSync(path, 'utf8') : undefined, backup: `${path}.memhall-backup` };
}

function entryOf(client: CodingClient, path: string, text: string, name: string): Entry | undefined {
  const all = client.format === 'json' ? readJson(path, text) : readToml(path, text);
  const servers = all[client.servers] as { [name: string]: Entry } | undefined;
  return servers?.[name];
}

function withEntry(client: CodingClient, path: string, text: string | undefined, name: string, entry: Entry): string {
  const { format, servers, input } = client;
  if (format === 'toml') return editToml(path, text ?? '', [servers, name], entry as TomlTable);
  const found = readJson(path, text ?? '');
  const withServer = editJson(text ?? '', [servers, name], entry);
  if (input === undefined || !uses(entry, input.id) || inputIndex(found, input.id) >= 0) return withServer;
  return Array.isArray(found.inputs)
    ? editJson(withServer, ['inputs', -1], input)
    : editJson(withServer, ['inputs'], [input]);
}

function withoutEntry(client: CodingClient, path: string, text: string, name: string): string {
  const { format, servers, input } = client;
  if (format === 'toml') return editToml(path, text, [servers, name], undefined);
  const left = editJson(text, [servers, name], undefined);
  if (input === undefined) return left;
  const { inputs: _, ...others } = readJson(path, left);
  const index = inputIndex(readJson(path, left), input.id);
  return index < 0 || uses(others, input.id) ? left : editJson(left, ['inputs', index], undefined);
}

function uses(value: unknown, inputId: string): boolean {
  return JSON.stringify(value).includes(`\${input:${inputId}}`);
}

function inputIndex({ inputs }: Entry, id: string): number {
  return Array.isArray(inputs) ? inputs.findIndex((one: { id?: unknown } | null) => one?.id === id) : -1;
}
