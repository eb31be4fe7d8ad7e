import type { Memory } from '../../ports/memories.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { ifPresent } from '../if-present.js';
import { getMemory } from '../memories/get-memory.js';
import { forgetAny, updateAny } from './change-any.js';
import { type Member, toMember } from './member.js';
import { noClaims } from './namespace-grants.js';
import { recordOf } from './owned-by-record.js';

const always = { kind: 'none' } as const;

/**
 * Replaces the content of one of the caller's own memories, regardless of the surface that created it. Returns
 * undefined if there is none; public memories, memories of namespaces and pieces of other records do not count.
 */
export async function overrideOwn(
  engine: Engine,
  caller: Caller,
  id: string,
  content: string,
): Promise<Memory | undefined> {
  const member = toMember(caller, noClaims);
  if (!(await isOwnWhole(engine, member, id))) return undefined;
  return ifPresent(updateAny(engine, member, id, { content }, always));
}

/** Removes one of the caller's own memories permanently. Returns false if there is none. */
export async function forgetOwn(engine: Engine, caller: Caller, id: string): Promise<boolean> {
  const member = toMember(caller, noClaims);
  if (!(await isOwnWhole(engine, member, id))) return false;
  const forgetting = forgetAny(engine, member, id, { precondition: always, copies: false });
  return (await ifPresent(forgetting.then(() => true))) ?? false;
}

async function isOwnWhole(engine: Engine, member: Member, id: string): Promise<boolean> {
  const memory = await getMemory(engine, member, id);
  return memory?.partition.kind === 'user' && recordOf(member, memory) === undefined;
}
