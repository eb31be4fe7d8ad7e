import type { SourceFilter, SourceMemory } from '../../ports/source-reverts.js';
import type { Scope, Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutateIn } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { eventKind } from '../events/event-record.js';
import { memoryTarget } from '../memories/memory-target.js';
import { orTry } from './or-try.js';
import type { RevertCounts } from './revert-counts.js';
import { revertFacts } from './revert-facts.js';

export interface Reverting {
  filter: SourceFilter;
  revertId: string;
  isTrial: boolean;
}

/**
 * Removes the source's memories of the caller's user, also in namespaces, with the user's facts that follow from them or that the source
 * stated. Keeps all of it for an undo. `memoryIds` are all memories of the source, which facts may cite.
 */
export function revertUser(
  engine: Engine,
  caller: Caller,
  namespaces: readonly string[],
  { filter, revertId, isTrial, memoryIds }: Reverting & { memoryIds: readonly string[] },
): Promise<Partial<RevertCounts>> {
  return orTry(isTrial, (finish) =>
    mutateIn(engine, scopeWith(caller, namespaces), caller, async (tables, now) => {
      const found = await tables.sourceReverts.memories(filter);
      const ids = found.map(({ id }) => id);
      const { counts, mutations } =
        caller.userId === ''
          ? { counts: {}, mutations: [] }
          : await revertFacts(
              engine,
              tables,
              { filter, revertId, memoryIds: [...new Set([...memoryIds, ...ids])] },
              now,
            );
      tables.sourceReverts.keepMemories(revertId, ids, now);
      await removeEvents(tables, found, revertId, now);
      tables.memories.delete(ids);
      await tables.flushed();
      const removals = found.map((memory) => toMutation(memory, revertId));
      return finish({
        result: { ...counts, memories: ids.length },
        mutations: [...removals, ...mutations],
      });
    }),
  );
}

/** Returns the scope of a user, or of nobody, who may write to namespaces. */
export function scopeWith({ tenantId, userId, since }: Caller, namespaces: readonly string[]): Scope {
  return { tenantId, userId: userId === '' ? null : userId, namespaces, writableNamespaces: namespaces, since };
}

function toMutation({ id, kind, namespace }: SourceMemory, revertId: string): Mutation {
  const details = { revert_id: revertId, ...(namespace === null ? {} : { namespace }) };
  const target = memoryTarget({ id, kind: kind as Parameters<typeof memoryTarget>[0]['kind'] });
  return { target, preEtag: null, postEtag: null, contentHash: null, details };
}

/** The record of an event is an artifact. Its memory is only how it is found. */
async function removeEvents(
  tables: Tables,
  found: readonly SourceMemory[],
  revertId: string,
  now: Date,
): Promise<void> {
  const names = found.flatMap(({ kind, externalId }) =>
    kind === eventKind && externalId !== null ? [externalId] : [],
  );
  if (names.length === 0) return;
  for (const event of await tables.artifacts.getMany('event', '', names)) {
    tables.sourceReverts.keepEvent(revertId, event, now);
    tables.artifacts.delete(event);
  }
}
