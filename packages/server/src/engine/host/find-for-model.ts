import { Problem } from '@memhall/core';
import type { Memory } from '../../ports/memories.js';
import { addOutside, type FoundEverywhere } from '../one-memory/add-outside.js';
import { type AnyRecalled, chooseShown } from '../one-memory/choose-shown.js';
import { describeOrigin } from '../one-memory/describe-origin.js';
import { getAny } from '../one-memory/find-any.js';
import { browseEverywhere, recallEverywhere } from '../one-memory/recall-everywhere.js';
import { sayOrigin } from '../one-memory/say-origin.js';
import { sayTruth } from '../one-memory/say-truth.js';
import { firstStored } from '../plugin/legacy-origin.js';
import type { Host, HostCaller } from './host.js';
import type { HostSearch } from './search-memory.js';
import type { ShownMemory } from './shown-memory.js';

const uuid = /^\s*([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s*$/i;

/** Finds what a model asked for, in the store and outside of it; everything that the caller may read, or only some namespaces. */
export async function findForModel(
  { engine }: Host,
  caller: HostCaller,
  { query: text, namespaces, kinds = [], limit, asOf, knownAt, includeSuperseded }: HostSearch,
): Promise<Omit<FoundEverywhere, 'results'> & { memories: ShownMemory[] }> {
  const filter = { kinds: kinds.length === 0 ? undefined : kinds };
  const wanted = { namespaces, filter, limit, forModel: true, signal: caller.signal };
  if (text === undefined) {
    const { results, ...rest } = await browseEverywhere(engine, caller, wanted);
    return { ...rest, memories: results.map((one) => toShown(caller, one)) };
  }
  const named = await findNamed(engine, caller, text);
  const isWanted = named !== undefined && isAmong(named, namespaces) && (filter.kinds?.includes(named.kind) ?? true);
  const { results, ...rest } = isWanted
    ? await addOutside(
        engine,
        caller,
        { ...wanted, text },
        chooseShown(engine, caller, wanted, async () => [{ memory: named, score: 1 }]),
      )
    : await recallEverywhere(engine, caller, {
        ...wanted,
        ...{ text, asOf, knownAt, includeSuperseded },
        pinnedFirst: true,
      });
  return { ...rest, memories: results.map((one) => ({ ...toShown(caller, one), score: one.score })) };
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

function toShown(caller: HostCaller, { memory, isOwn, truth }: Omit<AnyRecalled, 'score'>): ShownMemory {
  const { id, kind, content, trust, occurredAt, expiresAt, isPinned, propagation, partition } = memory;
  const origin = describeOrigin(memory);
  const isPublic = partition.kind === 'public';
  const from = sayOrigin(caller, { kind, origin, at: occurredAt, isOwn, isPublic, trust });
  return {
    ...{ id, kind, content, origin, from, isOwn, trust, occurredAt, expiresAt, isPinned, propagation },
    createdAt: firstStored(memory),
    isCurrent: truth?.isCurrent ?? true,
    note: sayTruth(truth),
  };
}
