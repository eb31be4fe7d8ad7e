import { Problem, uuidv7 } from '@memhall/core';
import type { SourceFilter } from '../../ports/source-reverts.js';
import { mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { refuseIfHeld } from '../governance/legal-holds.js';
import { addCounts, noCounts, type RevertCounts } from './revert-counts.js';
import { revertDocument } from './revert-documents.js';
import { revertUser } from './revert-user.js';

interface SourceReverted {
  /** null if it was only tried. */
  revertId: string | null;
  counts: RevertCounts;
}

/**
 * Takes back everything that a source wrote or caused: memories, facts, and patches of documents. What it had superseded is current
 * again, and facts with other evidence stay. With `isTrial` it only counts. What one user has is taken back in one transaction, and
 * documents one after another. Throws LEGAL_HOLD if somebody concerned is held: then nothing was changed.
 */
export async function revertSource(
  engine: Engine,
  caller: Caller,
  filter: SourceFilter,
  isTrial: boolean,
): Promise<SourceReverted> {
  checkFilter(filter);
  const { tenantId } = caller;
  const { owners, documents, memoryIds, factUsers } = await engine.store.inspect(tenantId, async (tables) => {
    const [found, changed, ids] = await Promise.all([
      tables.sourceReverts.owners(filter),
      tables.sourceReverts.documents(filter),
      tables.sourceReverts.memoryIds(filter),
    ]);
    // Facts of others may cite what is in a namespace.
    const citing = await tables.sourceReverts.factUsers(filter, ids);
    return { owners: found, documents: changed, memoryIds: ids, factUsers: citing };
  });
  const users = new Set([...owners.map(({ userId }) => userId), ...factUsers]);
  const concerned = new Set([...users, ...documents.map(({ userId }) => userId)].filter((userId) => userId !== ''));
  await refuseHeld(engine, tenantId, concerned);

  const revertId = uuidv7(engine.clock.now().getTime());
  const given = { filter, revertId, isTrial };
  let counts = noCounts;
  for (const userId of users) {
    const namespaces = owners.flatMap((owner) => (owner.userId === userId ? (owner.namespace ?? []) : []));
    counts = addCounts(counts, await revertUser(engine, { ...caller, userId }, namespaces, { ...given, memoryIds }));
  }
  for (const place of documents) {
    counts = addCounts(counts, await revertDocument(engine, { ...caller, userId: place.userId }, place, given));
  }
  counts = { ...counts, users: concerned.size };
  if (isTrial) return { revertId: null, counts };
  const details = { filter: toJson(filter), counts: { ...counts } };
  await mutateTenant(engine, caller, async () => ({
    result: undefined,
    mutations: [{ target: revertTarget(revertId), preEtag: null, postEtag: null, contentHash: null, details }],
  }));
  return { revertId, counts };
}

export function revertTarget(revertId: string): string {
  return `source-reverts/${revertId}`;
}

export async function refuseHeld(engine: Engine, tenantId: string, users: Iterable<string>): Promise<void> {
  const holds = await engine.store.inspect(tenantId, async (tables) => {
    const found = new Set<string>();
    for (const userId of users) for (const hold of await tables.legalHolds.on(userId)) found.add(hold);
    return [...found];
  });
  refuseIfHeld(holds);
}

function checkFilter({ author, namespace, resourceId, from, to }: SourceFilter): void {
  if (author === undefined && namespace === undefined && resourceId === undefined) {
    throw new Problem('INVALID_REQUEST', 'The filter must name a source: "author", "namespace" or "resource_id".');
  }
  if (from === undefined || to === undefined || from < to) return;
  throw new Problem('INVALID_REQUEST', '"to" must be later than "from".');
}

function toJson({ author, surface, namespace, resourceId, from, to }: SourceFilter): { [name: string]: string } {
  const named = {
    author,
    surface,
    namespace,
    resource_id: resourceId,
    from: from?.toISOString(),
    to: to?.toISOString(),
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
