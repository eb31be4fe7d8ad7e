import type { Tables } from '../../ports/store.js';
import { fileNamespace } from './memory-file-profile.js';
import type { FileRoot } from './memory-path.js';
import { Refusal } from './refusal.js';

/** Files of one root. */
export const maxFiles = 1000;

/** Returns the names of the files at a path or below it, in order; of all files of the root if `name` is empty. */
export async function namesUnder(tables: Tables, root: FileRoot, name: string): Promise<string[]> {
  const names = await allNames(tables, root);
  return name === '' ? names : names.filter((one) => one === name || one.startsWith(`${name}/`));
}

async function allNames(tables: Tables, root: FileRoot): Promise<string[]> {
  const prefix = `${root}/`;
  const listed = await tables.artifacts.list('document', {
    folder: fileNamespace,
    after: [fileNamespace, prefix],
    limit: maxFiles + 1,
  });
  return listed.flatMap((one) => (one.name.startsWith(prefix) ? [one.name.slice(prefix.length)] : []));
}

/**
 * Throws Refusal if one of the new names cannot be beside what is there: a file where a directory is or the other way round, a name that
 * differs from another only in case, or one file too many. `added` may be among `present`.
 */
export function checkNames(present: readonly string[], added: readonly string[]): void {
  if (new Set([...present, ...added]).size > maxFiles) {
    throw new Refusal(`Error: There can be ${maxFiles} files. Delete files that are no longer needed first.`);
  }
  const files = new Set(present);
  const directories = new Set(present.flatMap(directoriesOf));
  const byFolded = new Map([...files, ...directories].map((one) => [foldCase(one), one]));
  for (const name of added) {
    if (directories.has(name)) throw new Refusal(`Error: The path /memories/${name} is a directory.`);
    const file = directoriesOf(name).find((one) => files.has(one));
    if (file !== undefined) throw new Refusal(`Error: The path /memories/${file} is a file, not a directory.`);
    const alike = [name, ...directoriesOf(name)].find((one) => (byFolded.get(foldCase(one)) ?? one) !== one);
    if (alike !== undefined) {
      const other = byFolded.get(foldCase(alike));
      throw new Refusal(
        `Error: The path /memories/${alike} differs from /memories/${other} only in case. Use that name.`,
      );
    }
  }
}

function directoriesOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Returns names that some file systems take for one as the same text. */
function foldCase(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFC');
}
