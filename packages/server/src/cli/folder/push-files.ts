import { Problem } from '@memhall/core';
import type { Caller } from '../../engine/caller.js';
import type { Engine } from '../../engine/engine.js';
import { putMemoryFile } from '../../engine/memory-files/put-memory-file.js';
import { Refusal } from '../../engine/memory-files/refusal.js';
import { removeMemoryFiles } from '../../engine/memory-files/remove-memory-files.js';
import type { FileReport } from './folder-report.js';
import { hasMarks } from './merge-texts.js';
import { isInTheWay, type Sides } from './pull-files.js';

export interface Target {
  engine: Engine;
  caller: Caller;
}

type Said = Omit<FileReport, 'name'> | undefined;

const elsewhere: Said = { outcome: 'conflict', note: 'it changed in Memhall too: pull first' };

/** Stores what changed in the folder. Nothing that changed in Memhall is overwritten. */
export async function pushFiles(target: Target, sides: Sides): Promise<FileReport[]> {
  const names = new Set([...sides.here.keys(), ...sides.base.files.keys()]);
  const reports: FileReport[] = [];
  for (const name of [...names].sort()) {
    if (isInTheWay(sides, name)) continue;
    const report = await pushOne(target, sides, name).catch(toRefused);
    if (report !== undefined) reports.push({ name, ...report });
  }
  return reports;
}

async function pushOne(target: Target, sides: Sides, name: string): Promise<Said> {
  const { folder, base, here, there } = sides;
  const [mine, theirs, before] = [here.get(name), there.get(name), base.files.get(name)];
  if (mine === undefined) return pushRemoval(target, sides, name);
  if (mine === theirs?.text) {
    base.files.set(name, theirs);
    return undefined;
  }
  if (mine === before?.text) return undefined;
  if (hasMarks(mine)) return { outcome: 'conflict', note: 'it still has the marks of a conflict' };
  if (theirs?.etag !== before?.etag) return elsewhere;
  const etag = theirs?.etag ?? null;
  const stored = await putMemoryFile(target.engine, target.caller, base.root, { name, text: mine, etag });
  base.files.set(name, stored);
  if (stored.text === mine) return { outcome: 'stored' };
  await folder.change(name, stored.text, mine);
  return { outcome: 'stored', note: 'without its secrets, here too' };
}

async function pushRemoval({ engine, caller }: Target, { base, there, deletes }: Sides, name: string): Promise<Said> {
  const [theirs, before] = [there.get(name), base.files.get(name)];
  if (theirs === undefined) {
    base.files.delete(name);
    return undefined;
  }
  if (theirs.etag !== before?.etag) return elsewhere;
  if (!deletes) return { outcome: 'kept', note: 'it was deleted here: add --delete to delete it in Memhall too' };
  await removeMemoryFiles(engine, caller, base.root, name, { kind: 'one-of', etags: [theirs.etag] });
  base.files.delete(name);
  return { outcome: 'removed' };
}

function toRefused(error: unknown): Said {
  if (error instanceof Refusal) return { outcome: 'refused', note: error.message.replace(/^Error: /, '') };
  if (!(error instanceof Problem) || error.status >= 500) throw error;
  return error.code === 'ETAG_MISMATCH' ? elsewhere : { outcome: 'refused', note: error.message };
}
