import type { ListedFile } from '../../engine/memory-files/list-memory-files.js';
import type { FolderBase } from './base-file.js';
import type { FileReport } from './folder-report.js';
import { isVisible, type LocalFolder } from './local-folder.js';
import { hasMarks, mergeTexts } from './merge-texts.js';

/** Both sides of a folder, and what they were when they last agreed. */
export interface Sides {
  folder: LocalFolder;
  base: FolderBase;
  /** What is in Memhall, by name. */
  there: ReadonlyMap<string, { etag: string; text: string }>;
  /** What is in the folder, by name. */
  here: ReadonlyMap<string, string>;
  /** What is in the folder and cannot be a file of Memhall, such as a symbolic link. It says nothing about what is in Memhall. */
  unfit: ReadonlyMap<string, string>;
  /** Whether what was deleted on one side is deleted on the other. */
  deletes: boolean;
}

/** Returns the files in Memhall with their texts; the text of a state that is known is that of the base. */
export function toThere(listed: readonly ListedFile[], { files }: FolderBase): Sides['there'] {
  const byEtag = new Map([...files.values()].map(({ etag, text }) => [etag, text]));
  return new Map(
    listed.flatMap(({ name, etag, text }) => {
      const known = text ?? byEtag.get(etag);
      return known === undefined || !isVisible(name) ? [] : [[name, { etag, text: known }] as const];
    }),
  );
}

/** Brings what changed in Memhall into the folder. What changed on both sides is merged. */
export async function pullFiles(sides: Sides): Promise<FileReport[]> {
  const names = new Set([...sides.there.keys(), ...sides.base.files.keys()]);
  const reports: FileReport[] = [];
  for (const name of [...names].sort()) {
    if (isInTheWay(sides, name)) continue;
    const report = await pullOne(sides, name);
    if (report !== undefined) reports.push({ name, ...report });
  }
  return reports;
}

/** Returns whether something unfit is at a path, or where a directory of the path should be. */
export function isInTheWay({ unfit }: Pick<Sides, 'unfit'>, name: string): boolean {
  const parts = name.split('/');
  return parts.some((_, index) => unfit.has(parts.slice(0, index + 1).join('/')));
}

type Said = Omit<FileReport, 'name'> | undefined;

async function pullOne(sides: Sides, name: string): Promise<Said> {
  const { base, there } = sides;
  const [mine, theirs, before] = [sides.here.get(name), there.get(name), base.files.get(name)];
  if (theirs === undefined) return pullRemoval(sides, name);
  if (theirs.etag === before?.etag) return undefined;
  if (mine === theirs.text) {
    base.files.set(name, theirs);
    return undefined;
  }
  if (mine === before?.text) return write(sides, name, theirs.text, mine === undefined ? 'created' : 'updated');
  if (mine === undefined) {
    const said = await write(sides, name, theirs.text, 'conflict');
    return said && { ...said, note: 'it was deleted here and changed in Memhall, so it is here again' };
  }
  if (hasMarks(mine)) return { outcome: 'conflict', note: 'it still has the marks of a conflict' };
  const merged = mergeTexts(mine, before?.text ?? '', theirs.text);
  const said = await write(sides, name, merged.text, merged.hasConflicts ? 'conflict' : 'merged');
  if (!merged.hasConflicts || said?.outcome !== 'conflict') return said;
  return { ...said, note: 'both sides changed it: choose between the marks, then push' };
}

async function pullRemoval({ folder, base, here, deletes }: Sides, name: string): Promise<Said> {
  const [mine, before] = [here.get(name), base.files.get(name)];
  if (mine === undefined || mine !== before?.text) {
    base.files.delete(name);
    if (mine === undefined) return undefined;
    return {
      outcome: 'conflict',
      note: 'it was changed here and deleted in Memhall: push stores it again, or delete it',
    };
  }
  if (!deletes) return { outcome: 'kept', note: 'it was deleted in Memhall: add --delete to delete it here too' };
  if (!(await folder.change(name, undefined, mine))) return changing;
  base.files.delete(name);
  return { outcome: 'deleted' };
}

const changing: Said = { outcome: 'kept', note: 'it changed in this moment: repeat the command' };

/** Writes a text into the folder. The folder is then based on the state in Memhall. */
async function write(
  { folder, base, here, there }: Sides,
  name: string,
  text: string,
  outcome: FileReport['outcome'],
): Promise<Said> {
  if (!(await folder.change(name, text, here.get(name)))) return changing;
  const theirs = there.get(name);
  if (theirs !== undefined) base.files.set(name, theirs);
  return { outcome };
}
