import type { TomlTable } from 'smol-toml';
import type { CodingClient } from './client-files.js';
import { editJson, readJson } from './edit-json.js';
import { editToml, readToml } from './edit-toml.js';
import type { Insertion } from './plan-change.js';

type Entry = { [member: string]: unknown };

/** The MCP server of that name among those of a client. */
export function entryInsertion(client: CodingClient, name: string): Insertion<Entry> {
  return {
    find: (path, text) => entryOf(client, path, text, name),
    add: (path, text, entry) => withEntry(client, path, text, name, entry),
    remove: (path, text) => withoutEntry(client, path, text, name),
  };
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
