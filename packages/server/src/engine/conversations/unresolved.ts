import { Problem } from '@memhall/core';
import type { UnresolvedPatch } from '../../ports/unresolved-patches.js';
import { mutate } from '../audit/mutate.js';
import { type Caller, scopeOf, systemCaller } from '../caller.js';
import { limitProblems } from '../documents/document-limits.js';
import type { WrittenDocument } from '../documents/write-document.js';
import type { Engine } from '../engine.js';
import { type Page, toPage } from '../page.js';
import { decodeTimeCursor, timePosition } from '../time-cursor.js';
import { applyReplayPatch } from './apply-replay-patch.js';
import { noSuchPatch } from './unresolved-queue.js';

const minuteMs = 60_000;
/** Pauses before each further attempt; after the last one, someone has to decide. */
const waitsMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 120 * minuteMs];

/** Only a conflict can resolve itself; everything else needs a decision. */
export function firstRetry(problem: Problem, now: Date): Pick<UnresolvedPatch, 'status' | 'nextAttemptAt'> {
  return nextRetry(problem, 1, now);
}

function nextRetry(problem: Problem, attempts: number, now: Date): Pick<UnresolvedPatch, 'status' | 'nextAttemptAt'> {
  const waitMs = problem.code === 'ETAG_MISMATCH' ? waitsMs[attempts - 1] : undefined;
  if (waitMs === undefined) return { status: 'review', nextAttemptAt: null };
  return { status: 'waiting', nextAttemptAt: new Date(now.getTime() + waitMs) };
}

/** `replaced`: ids of patches that contain this one and are removed. */
export function putUnresolved(
  engine: Engine,
  caller: Caller,
  patch: UnresolvedPatch,
  replaced: readonly string[],
): Promise<void> {
  return mutate(engine, caller, async (tables) => {
    for (const patchId of replaced) tables.unresolvedPatches.delete(patchId);
    tables.unresolvedPatches.put(patch);
    return { result: undefined, mutations: [] };
  });
}

/** Oldest first. */
export async function listUnresolved(
  engine: Engine,
  caller: Caller,
  input: { limit: number; cursor?: string | undefined },
): Promise<Page<UnresolvedPatch>> {
  const position = decodeTimeCursor(input.cursor);
  const after = position && { createdAt: position.at, patchId: position.id };
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.unresolvedPatches.list({ after, limit: input.limit + 1 }),
  );
  return toPage(rows, input.limit, ({ createdAt, patchId }) => timePosition(createdAt, patchId));
}

/**
 * Applies a patch to the current document, because someone has decided so. Throws NOT_FOUND, or the problem that
 * prevents it.
 */
export function applyUnresolved(engine: Engine, caller: Caller, patchId: string): Promise<WrittenDocument> {
  return apply(engine, caller, patchId, true);
}

async function apply(engine: Engine, caller: Caller, patchId: string, isDecided: boolean): Promise<WrittenDocument> {
  const patch = await find(engine, caller, patchId);
  const written = await applyReplayPatch(engine, caller, patch, { isDecided });
  await remove(engine, caller, patchId);
  return written;
}

/** Throws NOT_FOUND. */
export async function discardUnresolved(engine: Engine, caller: Caller, patchId: string): Promise<void> {
  await find(engine, caller, patchId);
  await remove(engine, caller, patchId);
}

async function find(engine: Engine, caller: Caller, patchId: string): Promise<UnresolvedPatch> {
  const patch = await engine.store.read(scopeOf(caller), (tables) => tables.unresolvedPatches.get(patchId));
  if (patch === undefined) throw noSuchPatch();
  return patch;
}

function remove(engine: Engine, caller: Caller, patchId: string): Promise<void> {
  return mutate(engine, caller, async (tables) => {
    tables.unresolvedPatches.delete(patchId);
    const mutation = { target: `unresolved-patches/${patchId}`, preEtag: null, postEtag: null, contentHash: null };
    return { result: undefined, mutations: [mutation] };
  });
}

/** Retries a tenant's patches that are due. Returns how many were due. */
export async function retryUnresolved(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  const due = await engine.store.inspect(tenantId, (tables) => tables.unresolvedPatches.due(engine.clock.now(), 100));
  for (const { userId, patchId } of due) {
    signal?.throwIfAborted();
    await retry(engine, systemCaller(tenantId, userId, 'unresolved.retry'), patchId);
  }
  return due.length;
}

/**
 * Retries a tenant's patches that did not fit into their documents, whether they wait for a decision or not. Returns
 * how many were applied.
 */
export async function retryRefused(engine: Engine, tenantId: string, signal?: AbortSignal): Promise<number> {
  let applied = 0;
  for (let after: { createdAt: Date; patchId: string } | undefined; ; ) {
    const page = { after, problemCodes: limitProblems, limit: 100 };
    const refused = await engine.store.inspect(tenantId, (tables) => tables.unresolvedPatches.listAll(page));
    for (const { userId, patchId } of refused) {
      signal?.throwIfAborted();
      if (await retry(engine, systemCaller(tenantId, userId, 'unresolved.retry'), patchId)) applied += 1;
    }
    after = refused.at(-1);
    if (after === undefined) return applied;
  }
}

/** Returns whether the patch was applied. */
async function retry(engine: Engine, caller: Caller, patchId: string): Promise<boolean> {
  try {
    await apply(engine, caller, patchId, false);
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    await mutate(engine, caller, async (tables, now) => {
      const present = await tables.unresolvedPatches.get(patchId);
      if (present !== undefined) {
        const attempts = present.attempts + 1;
        const fault = { problemCode: error.code, problem: error.message };
        tables.unresolvedPatches.put({
          ...present,
          ...fault,
          ...nextRetry(error, attempts, now),
          attempts,
          updatedAt: now,
        });
      }
      return { result: undefined, mutations: [] };
    });
    return false;
  }
}
