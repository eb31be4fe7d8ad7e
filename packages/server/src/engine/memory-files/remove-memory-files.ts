import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import { type FollowStored, prepareStored } from '../documents/follow-stored.js';
import { removeStored } from '../documents/remove-stored.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { type FileRoot, placeOf } from './memory-path.js';
import { findStored } from './read-memory-file.js';
import { namesUnder } from './stored-files.js';
import { untilUnchanged } from './until-unchanged.js';

/**
 * Removes the file or directory of this name, all at once. Returns the number of removed files; 0 if there is nothing. Only a single file can
 * have a precondition: throws ETAG_MISMATCH.
 */
export function removeMemoryFiles(
  engine: Engine,
  caller: Caller,
  root: FileRoot,
  name: string,
  precondition: Precondition = { kind: 'none' },
): Promise<number> {
  return untilUnchanged(async () => {
    const names = await engine.store.read(scopeOf(caller), (tables) => namesUnder(tables, root, name));
    if (names.length === 0) return 0;
    const follows = await Promise.all(names.map((one) => prepareStored(engine, caller, placeOf(root, one))));
    return mutate(engine, onTheRecord(caller), async (tables, now) => {
      const present = await namesUnder(tables, root, name);
      if (present.join('\n') !== names.join('\n')) return { result: undefined, mutations: [] };
      const removals = names.map((one, index) =>
        removeOne(tables, caller, { root, name: one, precondition, now, follow: follows[index] as FollowStored }),
      );
      return { result: names.length, mutations: (await Promise.all(removals)).flat() };
    });
  });
}

interface Removal {
  root: FileRoot;
  name: string;
  precondition: Precondition;
  follow: FollowStored;
  now: Date;
}

async function removeOne(
  tables: Tables,
  caller: Caller,
  { root, name, precondition, follow, now }: Removal,
): Promise<Mutation[]> {
  const stored = await findStored(tables, root, name);
  checkPrecondition(precondition, stored?.etag);
  if (stored === undefined) return [];
  const updatedBy = caller.actor.serviceId ?? caller.actor.userId ?? 'memhall';
  const removal = await removeStored(tables, stored, { now, reason: 'live_update', updatedBy });
  return [removal, ...(await follow(tables, undefined))];
}
