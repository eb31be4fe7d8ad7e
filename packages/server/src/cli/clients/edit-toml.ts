import { isDeepStrictEqual } from 'node:util';
import { StartUpError } from '@memhall/core';
import { parse, stringify, type TomlTable } from 'smol-toml';

/** Throws StartUpError if the file is not valid. */
export function readToml(file: string, text: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new StartUpError(`${file} is not valid TOML (${reason}). Correct it, then run the command again.`);
  }
}

/**
 * Sets or removes (undefined) the table `[parent.name]`. Everything else keeps its text, comments included. Throws
 * StartUpError if the table is written in a way that cannot be replaced without changing something else.
 */
export function editToml(
  file: string,
  text: string,
  [parent, name]: [string, string],
  value: TomlTable | undefined,
): string {
  const before = readToml(file, text);
  const rest = withoutTable(text, [parent, name]);
  const table = value === undefined ? '' : stringify({ [parent]: { [name]: value } }).replace(`[${parent}]\n`, '');
  const after = value === undefined ? rest : `${rest === '' ? '' : `${rest.replace(/\n*$/, '')}\n\n`}${table.trim()}\n`;
  const { [name]: _, ...others } = (before[parent] ?? {}) as TomlTable;
  const servers = value === undefined ? others : { ...others, [name]: value };
  const { [parent]: __, ...otherTables } = before;
  const wanted = Object.keys(servers).length === 0 ? otherTables : { ...otherTables, [parent]: servers };
  if (!isEqual(after, wanted, parent)) {
    throw new StartUpError(
      `The table ${parent}.${name} of ${file} is written in a way that this command cannot change. Change it by hand.`,
    );
  }
  return after;
}

/** An empty table of servers is as good as none. */
function isEqual(text: string, wanted: TomlTable, parent: string): boolean {
  const plain = ({ [parent]: servers, ...others }: TomlTable) =>
    JSON.parse(
      JSON.stringify(Object.keys((servers ?? {}) as TomlTable).length === 0 ? others : { ...others, servers }),
    );
  try {
    return isDeepStrictEqual(plain(parse(text)), plain(wanted));
  } catch {
    return false;
  }
}

/** Removes the table and its subtables, with the blank line before. Comments before the next table belong to that. */
function withoutTable(text: string, path: readonly string[]): string {
  const kept: string[] = [];
  let waiting: string[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const header = headerOf(line);
    if (header !== undefined) {
      const startsInside = path.every((part, index) => header[index] === part);
      if (startsInside && !isInside && kept.at(-1)?.trim() === '') kept.pop();
      if (!startsInside) kept.push(...waiting);
      isInside = startsInside;
      waiting = [];
    }
    if (!isInside) kept.push(line);
    else if (header === undefined && /^\s*(#|$)/.test(line)) waiting.push(line);
    else waiting = [];
  }
  return [...kept, ...waiting].join('\n');
}

/** Parts of the name in `[a.b]` or `[[a.b]]`; undefined if the line is no header. */
function headerOf(line: string): string[] | undefined {
  const [, name] = /^\s*\[{1,2}\s*([^[\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line) ?? [];
  return name?.split('.').map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
}
