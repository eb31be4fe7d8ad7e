import { mutate } from '../audit/mutate.js';
import { refuseOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, scopeOf } from '../caller.js';
import { type DocumentFollower, prepareFollowers } from '../documents/document-watcher.js';
import { moveDocument } from '../documents/move-document.js';
import type { Engine } from '../engine.js';
import { type FileRoot, type MemoryPath, placeOf } from './memory-path.js';
import { findStored } from './read-memory-file.js';
import { Refusal } from './refusal.js';
import { checkNames, namesUnder } from './stored-files.js';
import { untilUnchanged } from './until-unchanged.js';

/** Moves the file or directory at a path to another, all at once. Throws Refusal if there is nothing, or something at the new path. */
export async function moveMemoryFiles(
  engine: Engine,
  caller: Caller,
  root: FileRoot,
  from: MemoryPath,
  to: MemoryPath,
): Promise<void> {
  await refuseOffTheRecord(engine, caller);
  if (to.name.startsWith(`${from.name}/`)) {
    throw new Refusal(`Error: The path ${from.shown} cannot be moved into itself.`);
  }
  const movedName = (name: string) => to.name + name.slice(from.name.length);
  const isUnder = (name: string) => name === from.name || name.startsWith(`${from.name}/`);
  await untilUnchanged(async () => {
    const all = await engine.store.read(scopeOf(caller), (tables) => namesUnder(tables, root, ''));
    const names = all.filter(isUnder);
    if (names.length === 0) throw new Refusal(`Error: The path ${from.shown} does not exist`);
    if (all.some((name) => name === to.name || name.startsWith(`${to.name}/`))) {
      throw new Refusal(`Error: The destination ${to.shown} already exists`);
    }
    checkNames(
      all.filter((name) => !isUnder(name)),
      names.map(movedName),
    );
    const followers = await Promise.all(
      names.map((name) => prepareFollowers(engine, caller, placeOf(root, movedName(name)))),
    );
    const isMoved = await mutate(engine, caller, async (tables, now, slow) => {
      const present = await namesUnder(tables, root, '');
      if (present.join('\n') !== all.join('\n')) return { result: undefined, mutations: [] };
      const moves = names.map(async (name, index) => {
        const [stored, look] = await Promise.all([
          findStored(tables, root, name),
          (followers[index] as DocumentFollower).look(tables),
        ]);
        if (stored === undefined) return [];
        const moving = { to: placeOf(root, movedName(name)), reason: 'live_update', look, now, slow };
        return moveDocument(tables, caller, stored, moving);
      });
      return { result: true, mutations: (await Promise.all(moves)).flat() };
    });
    if (isMoved) for (const follower of followers) follower.finish();
    return isMoved;
  });
}
