import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import type { MemoryScope } from '../memories/scope-partitions.js';
import { inWorkspace } from '../tier-path.js';
import { screenChanged } from '../tiers/screen-changed.js';
import type { Judged } from './judge.js';
import type { Member } from './member.js';

type Find = (limit: number) => Promise<readonly Judged[]>;

/**
 * Returns `find` so that it also sees notes that changed in a way that nothing screens. Nearly always there are none, so the first
 * call does not wait for the check; if there are, it is repeated.
 */
export function findScreened(engine: Engine, member: Member, scope: MemoryScope, find: Find): Find {
  if (!scope.workspace) return find;
  const workspace = inWorkspace<Caller>(member, member.tiers.workspaceId);
  let isScreened = false;
  return async (limit) => {
    if (isScreened) return find(limit);
    const [found, hasChanged] = await Promise.all([find(limit), screenChanged(engine, workspace, member.tiers)]);
    isScreened = true;
    return hasChanged ? find(limit) : found;
  };
}
