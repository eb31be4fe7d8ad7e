import { Problem, uuidv7 } from '@memhall/core';
import type { Counts, NotePlace } from '../../ports/erasure.js';
import { workspaceOwner } from '../../ports/owners.js';
import { userRemovals } from '../audit/signed-removals.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { dropCaches } from './drop-caches.js';
import { forgetAuthor } from './forget-author.js';
import { forgetElsewhere } from './forget-elsewhere.js';
import { refuseIfHeld } from './legal-holds.js';
import { addCounts, type FinishedReceipt, isNothing, issueReceipt } from './receipt.js';

/** How long to try again while others write about the user. At least two tries are made. */
const patienceMs = 20_000;

/**
 * Removes everything that is stored of the caller's user. First what others have about the user, and the user's words in documents of
 * others, text by text; then the rest, in one transaction that issues the receipt and makes sure that nothing came back elsewhere. Writes
 * that came in before it took effect are removed or refused, even if they were still waiting. Later writes start from nothing.
 * If it is interrupted, call again to continue. Throws LEGAL_HOLD if the user or one of those workspaces is held.
 */
export async function forgetUser(engine: Engine, caller: Caller): Promise<FinishedReceipt> {
  const startedAt = engine.clock.now();
  const id = uuidv7(startedAt.getTime());
  let elsewhere: Counts = {};
  for (let tries = 1; tries <= 2 || engine.clock.now().getTime() - startedAt.getTime() < patienceMs; tries++) {
    const places = await findElsewhere(engine, caller);
    const workspace = await forgetWorkspace(engine, caller);
    const left = places.filter(({ userId }) => workspace === undefined || userId !== workspaceOwner(caller.userId));
    elsewhere = addCounts(addCounts(elsewhere, workspace ?? {}), await forgetElsewhere(engine, caller, left, id));
    elsewhere = addCounts(elsewhere, await forgetAuthor(engine, caller, await findAuthored(engine, caller), id));
    elsewhere = addCounts(elsewhere, await eraseAuthor(engine, caller));
    const receipt = await forgetOwn(engine, caller, { id, startedAt, elsewhere });
    if (receipt === undefined) continue;
    dropCaches(engine, caller.tenantId, caller.userId);
    return receipt;
  }
  throw new Problem('UNAVAILABLE', 'Others keep writing about the user. Try again shortly.', { retryAfterSeconds: 1 });
}

/** Removes the workspace named after the user, with a receipt of its own. Returns undefined if others wrote to it. */
async function forgetWorkspace(engine: Engine, caller: Caller): Promise<Counts | undefined> {
  const { tenantId, userId } = caller;
  const workspace = { ...caller, userId: workspaceOwner(userId) };
  const startedAt = engine.clock.now();
  return engine.store.erase({ tenantId, userId: workspace.userId }, async (tables) => {
    refuseIfHeld(await tables.legalHolds.on(workspace.userId));
    if (!(await tables.erasure.isAloneInWorkspace(userId))) return undefined;
    const removals = await userRemovals(tables, engine.auditKey, workspace);
    const counts = await tables.erasure.removeUser();
    if (isNothing(counts)) return {};
    const receipt = { id: uuidv7(startedAt.getTime()), userId: workspace.userId, startedAt, counts };
    issueReceipt(tables, caller, { ...receipt, finishedAt: engine.clock.now() }, removals);
    return counts;
  });
}

/** Throws LEGAL_HOLD before anything is removed. */
function findElsewhere(engine: Engine, { tenantId, userId }: Caller): Promise<NotePlace[]> {
  return engine.store.inspect(tenantId, async (tables) => {
    refuseIfHeld(await tables.legalHolds.on(userId));
    const places = await tables.erasure.notesElsewhere(userId);
    const authored = await tables.erasure.authoredElsewhere(userId);
    const owners = [...places, ...authored].map((place) => place.userId);
    for (const owner of new Set([...owners, ...(await tables.erasure.writtenFor(userId))])) {
      refuseIfHeld(await tables.legalHolds.on(owner));
    }
    return places;
  });
}

function findAuthored(engine: Engine, { tenantId, userId }: Caller): Promise<NotePlace[]> {
  return engine.store.inspect(tenantId, (tables) => tables.erasure.authoredElsewhere(userId));
}

/** Memories that the user wrote for others belong to them, and no longer say by whom they are. */
async function eraseAuthor(engine: Engine, { tenantId, userId: author }: Caller): Promise<Counts> {
  const owners = await engine.store.inspect(tenantId, (tables) => tables.erasure.writtenFor(author));
  let count = 0;
  for (const userId of owners) {
    count += await engine.store.erase({ tenantId, userId }, async (tables) => {
      refuseIfHeld(await tables.legalHolds.on(userId));
      return tables.erasure.eraseAuthor(author);
    });
    dropCaches(engine, tenantId, userId);
  }
  return { authors_elsewhere: count };
}

/** Returns undefined, having removed nothing, if others have written about the user in the meantime. */
function forgetOwn(
  engine: Engine,
  caller: Caller,
  { id, startedAt, elsewhere }: { id: string; startedAt: Date; elsewhere: Counts },
): Promise<FinishedReceipt | undefined> {
  const { tenantId, userId } = caller;
  return engine.store.erase({ tenantId, userId }, async (tables) => {
    refuseIfHeld(await tables.legalHolds.on(userId));
    tables.erasure.lockNotes();
    if ((await tables.erasure.notesElsewhere(userId)).length > 0) return undefined;
    if ((await tables.erasure.authoredElsewhere(userId)).length > 0) return undefined;
    if ((await tables.erasure.writtenFor(userId)).length > 0) return undefined;
    const removals = await userRemovals(tables, engine.auditKey, caller);
    const counts = addCounts(await tables.erasure.removeUser(), elsewhere);
    const finishedAt = engine.clock.now();
    return issueReceipt(tables, caller, { id, userId, startedAt, finishedAt, counts }, removals);
  });
}
