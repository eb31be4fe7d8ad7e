import { Problem } from '@memhall/core';
import type { SourceRevert } from '../../ports/source-reverts.js';
import type { Tables } from '../../ports/store.js';
import type { Mutation } from '../audit/audit-record.js';
import { mutateIn, mutateTenant } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';
import { addCounts, noCounts, type RevertCounts } from './revert-counts.js';
import { restoreDocument } from './revert-documents.js';
import { settleGroup } from './revert-facts.js';
import { refuseHeld, revertTarget } from './revert-source.js';
import { scopeWith } from './revert-user.js';

/**
 * Restores what a revert took back. What was stored again since, and what belongs to a namespace that is gone, is left out. Throws
 * NOT_FOUND if there is no such revert, or what it kept was restored or purged.
 */
export async function undoRevert(engine: Engine, caller: Caller, revertId: string): Promise<RevertCounts> {
  const { tenantId } = caller;
  const owners = await engine.store.inspect(tenantId, (tables) => tables.sourceReverts.keptOwners(revertId));
  if (owners.length === 0) {
    throw new Problem('NOT_FOUND', `There is nothing to restore of ${revertId}. It may have been restored or purged.`);
  }
  const users = [...new Set(owners.map(({ userId }) => userId))];
  await refuseHeld(
    engine,
    tenantId,
    users.filter((userId) => userId !== ''),
  );
  let counts: RevertCounts = { ...noCounts, users: users.filter((userId) => userId !== '').length };
  for (const userId of users) {
    const namespaces = owners.flatMap((owner) =>
      owner.userId === userId && owner.namespace !== null ? [owner.namespace] : [],
    );
    const own = { ...caller, userId };
    const scope = scopeWith(own, namespaces);
    const documents = await engine.store.read(scope, (tables) => tables.sourceReverts.keptDocuments(revertId));
    const done = await mutateIn(engine, scope, own, (tables, now) => restoreRows(tables, revertId, now, userId));
    counts = addCounts(counts, done);
    for (const { version, unresolved, ...place } of documents) {
      await removePatches(engine, own, unresolved);
      if (version !== null)
        counts = addCounts(counts, await restoreDocument(engine, own, place, { version, revertId }));
    }
    await mutateIn(engine, scope, own, async (tables) => {
      tables.sourceReverts.forget(revertId);
      tables.sourceReverts.forget(`${revertId}-undo`);
      return { result: undefined, mutations: [] };
    });
  }
  await mutateTenant(engine, caller, async () => {
    const details = { change: 'undone', counts: { ...counts } };
    const mutation = { target: revertTarget(revertId), preEtag: null, postEtag: null, contentHash: null, details };
    return { result: undefined, mutations: [mutation] };
  });
  return counts;
}

/** Lists what can be restored, newest first. */
export async function listReverts(
  engine: Engine,
  { tenantId }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<SourceRevert>> {
  const position = decodeTimeCursor(cursor);
  const after = position && { at: position.at, revertId: position.id };
  const rows = await engine.store.inspect(tenantId, (tables) => tables.sourceReverts.list({ after, limit: limit + 1 }));
  return toPage(rows, limit, ({ at, revertId }) => timePosition(at, revertId));
}

async function restoreRows(tables: Tables, revertId: string, now: Date, userId: string) {
  await tables.sourceReverts.dropFactChanges(revertId);
  for (const event of await tables.sourceReverts.events(revertId)) tables.artifacts.put(event);
  const { memories, facts, factIds } = await tables.sourceReverts.restore(revertId);
  const mutations: Mutation[] = [];
  const known = factIds.length === 0 ? [] : await tables.facts.get(factIds, null);
  const groups = new Map(known.map((fact) => [JSON.stringify([fact.subjectKey, fact.attributeKey]), fact]));
  for (const keys of groups.values()) mutations.push(...(await settleGroup(tables, keys, now, 'source_restored')));
  const details = { change: 'restored', user_id: userId, memories, facts };
  mutations.push({ target: revertTarget(revertId), preEtag: null, postEtag: null, contentHash: null, details });
  return { result: { memories, facts }, mutations };
}

function removePatches(engine: Engine, caller: Caller, patchIds: readonly string[]): Promise<void> {
  return mutateIn(engine, scopeWith(caller, []), caller, async (tables) => {
    for (const patchId of patchIds) tables.unresolvedPatches.delete(patchId);
    const mutations = patchIds.map((id) => ({
      ...{ target: `unresolved-patches/${id}`, preEtag: null, postEtag: null, contentHash: null },
    }));
    return { result: undefined, mutations };
  });
}
