import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/** What a file is and what it is to become. undefined: there is no file. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  /** Path of a copy of the file as it was before anything was added. */
  backup: string;
  /** What becomes of that copy. */
  backupIs: 'written' | 'kept' | 'removed';
}

/** What is added to files of a client, and how. Everything else in them keeps its text. All throw StartUpError if a file cannot be read. */
export interface Insertion<P> {
  /** Returns what is there of it; undefined if nothing is. */
  find(path: string, text: string): P | undefined;
  /** Adds it, in the place of what is there. */
  add(path: string, text: string | undefined, part: P): string;
  remove(path: string, text: string): string;
}

/** Plans to add the part, or to replace what is there of it. */
export function planAddition<P>(file: string, insertion: Insertion<P>, part: P): FileChange {
  const { path, text, backup } = read(file);
  const present = text === undefined ? undefined : insertion.find(path, text);
  const original = originalOf(insertion, { path, text, backup }, present);
  const after = insertion.add(path, original === undefined ? text : original.text, part);
  return { path, before: text, after, backup, backupIs: present === undefined ? 'written' : 'kept' };
}

/**
 * Plans to remove what was added. If nothing else has changed since, the file becomes exactly what it was. Returns undefined if there
 * is nothing to remove.
 */
export function planRemoval<P>(file: string, insertion: Insertion<P>): FileChange | undefined {
  const { path, text, backup } = read(file);
  const present = text === undefined ? undefined : insertion.find(path, text);
  if (text === undefined || present === undefined) return undefined;
  const original = originalOf(insertion, { path, text, backup }, present);
  const after = original === undefined ? insertion.remove(path, text) : original.text;
  return { path, before: text, after, backup, backupIs: 'removed' };
}

/** Several insertions into one file. A part that is undefined is not there. */
export function together(insertions: readonly Insertion<unknown>[]): Insertion<readonly unknown[]> {
  return {
    find(path, text) {
      const parts = insertions.map((one) => one.find(path, text));
      return parts.every((part) => part === undefined) ? undefined : parts;
    },
    add: (path, text, parts) =>
      insertions.reduce<string>(
        (done, one, index) => (parts[index] === undefined ? done : one.add(path, done, parts[index])),
        text ?? '',
      ),
    remove: (path, text) =>
      insertions.reduce((left, one) => (one.find(path, left) === undefined ? left : one.remove(path, left)), text),
  };
}

interface ReadFile {
  path: string;
  text: string | undefined;
  backup: string;
}

/** Returns what the file was before the part was added; undefined if something else has changed since. */
function originalOf<P>(
  insertion: Insertion<P>,
  { path, text, backup }: ReadFile,
  part: P | undefined,
): Pick<ReadFile, 'text'> | undefined {
  if (part === undefined) return undefined;
  const original = existsSync(backup) ? readFileSync(backup, 'utf8') : undefined;
  return insertion.add(path, original, part) === text ? { text: original } : undefined;
}

function read(file: string): ReadFile {
  const given = resolve(file);
  // Dotfiles are often links into a repository: the link stays.
  const path = existsSync(given) ? realpathSync(given) : given;
  return { path, text: existsSync(path) ? readFileSync(path, 'utf8') : undefined, backup: `${path}.memhall-backup` };
}
