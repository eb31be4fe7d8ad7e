import { Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import { browseAny } from '../one-memory/browse-any.js';
import { type AnyRecalled, chooseShown } from '../one-memory/choose-shown.js';
import { describeOrigin } from '../one-memory/describe-origin.js';
import { getAny } from '../one-memory/find-any.js';
import { recallAny } from '../one-memory/recall-any.js';
import { sayOrigin } from '../one-memory/say-origin.js';
import { firstStored } from '../plugin/legacy-origin.js';
import type { Host, HostCaller } from './host.js';
import type { HostSearch } from './search-memory.js';
import type { ShownMemory } from './shown-memory.js';

const uuid = /^\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;

/** Searches everything that the caller may read in Memhall's own store, or only some namespaces. */
export async function searchEngine(
  { engine }: Host,
  caller: HostCaller,
  { query: text, namespaces, kinds = [], limit }: HostSearch,
): Promise<ShownMemory[]> {
  const filter = { kinds: kinds.length === 0 ? undefined : kinds };
  const wanted = { namespaces, filter, limit, forModel: true };
  if (text === undefined) {
    const found = await browseAny(engine, caller, wanted);
    return found.map((one) => toShown(caller, one));
  }
  const named = await findNamed(engine, caller, text);
  const isWanted = named !== undefined && isAmong(named, namespaces) && (filter.kinds?.includes(named.kind) ?? true);
  const found = isWanted
    ? await chooseShown(engine, caller, wanted, async () => [{ memory: named, score: 1 }])
    : await recallAny(engine, caller, { ...wanted, text, pinnedFirst: true, signal: caller.signal });
  return found.map((one) => ({ ...toShown(caller, one), score: one.score }));
}

/** Returns the memory whose id the whole text is: ids are not indexed as words. */
async function findNamed(engine: Host['engine'], caller: HostCaller, text: string): Promise<Memory | undefined> {
  const [, id] = uuid.exec(text) ?? [];
  if (id === undefined) return undefined;
  return getAny(engine, caller, id.toLowerCase()).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
}

function isAmong({ partition }: Memory, namespaces: readonly string[] | undefined): boolean {
  return namespaces === undefined || (partition.kind === 'namespace' && namespaces.includes(partition.name));
}

function toShown(caller: HostCaller, { memory, isOwn }: Omit<AnyRecalled, 'score'>): ShownMemory {
  const { id, kind, content, trust, occurredAt, expiresAt, isPinned, propagation, partition } = memory;
  const origin = describeOrigin(memory);
  const from = sayOrigin(caller, { kind, origin, at: occurredAt, isOwn, isPublic: partition.kind === 'public' });
  return {
    ...{ id, kind, content, origin, from, isOwn, trust, occurredAt, expiresAt, isPinned, propagation },
    createdAt: firstStored(memory),
  };
}
