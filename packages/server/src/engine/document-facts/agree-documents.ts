import { createHash } from 'node:crypto';
import { canonicalJson, type Json, Problem } from '@memhall/core';
import type { DocumentPlace } from '../../ports/document-checkpoints.js';
import type { FactPlace } from '../../ports/fact-places.js';
import type { Fact } from '../../ports/facts.js';
import type { Tables } from '../../ports/store.js';
import { maintain } from '../audit/maintain.js';
import { type Caller, scopeOf, systemCaller } from '../caller.js';
import { applyReplayPatch, type ReplayPatch, unresolvedIdOf } from '../conversations/apply-replay-patch.js';
import { firstRetry, putUnresolved } from '../conversations/unresolved.js';
import { rulesOf } from '../documents/document-rules.js';
import { fromArtifact, type GovernedDocument } from '../documents/governed-document.js';
import type { Engine } from '../engine.js';
import { factReason } from './document-fact-watcher.js';
import { readPast } from './document-past.js';
import { judgeValues } from './judge-values.js';
import { type Agreement, planAgreement } from './plan-agreement.js';

const usersAtOnce = 100;

/** Returns users of a tenant who have documents that must be compared with facts. */
export function usersWithDueDocuments(engine: Engine, tenantId: string): Promise<string[]> {
  const now = engine.clock.now();
  return engine.store.inspect(tenantId, (tables) => tables.factPlaces.usersDue(now, usersAtOnce));
}

/**
 * Patches the documents of a user that say what facts no longer do, like a replay: under the rules of the profile, with evidence and
 * confidence, and as an unresolved patch if it is refused. Idempotent. Returns how many were patched.
 */
export async function agreeDocuments(
  engine: Engine,
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  signal?: AbortSignal,
): Promise<number> {
  const caller = systemCaller(tenantId, userId, 'documents.agree');
  const now = engine.clock.now();
  const due = await engine.store.read(scopeOf(caller), (tables) => tables.factPlaces.due(now));
  const places = new Map<string, FactPlace[]>();
  for (const one of due) {
    const name = `${one.namespace}/${one.path}`;
    places.set(name, [...(places.get(name) ?? []), one]);
  }
  let patched = 0;
  for (const rows of places.values()) {
    signal?.throwIfAborted();
    if (await agreeDocument(engine, caller, rows)) patched += 1;
  }
  return patched;
}

interface Comparison {
  document: GovernedDocument;
  patch: ReplayPatch | undefined;
  /** When the next of the facts begins or ends. */
  nextAt: Date | null;
}

/** Returns whether the document was patched. Throws ETAG_MISMATCH if it changed meanwhile: the next attempt compares it again. */
async function agreeDocument(engine: Engine, caller: Caller, rows: readonly FactPlace[]): Promise<boolean> {
  const [{ namespace, path } = { namespace: '', path: '' }] = rows;
  const found = await engine.store.read(scopeOf(caller), (tables) =>
    compare(engine, tables, caller, { namespace, path }),
  );
  const isPatched = found?.patch !== undefined && (await applyOrKeep(engine, caller, found.document, found.patch));
  await maintain(engine, scopeOf(caller), async (tables) => {
    for (const row of rows) tables.factPlaces.setDue(row, found?.nextAt ?? null);
    await dropOutdated(tables, { namespace, path }, isPatched ? undefined : found?.patch);
  });
  return isPatched;
}

async function compare(
  engine: Engine,
  tables: Tables,
  caller: Caller,
  place: DocumentPlace,
): Promise<Comparison | undefined> {
  const [stored, rules] = await Promise.all([
    tables.artifacts.get({ kind: 'document', folder: place.namespace, name: place.path }),
    rulesOf(engine, tables, place),
  ]);
  if (stored === undefined || rules === undefined) return undefined;
  const now = engine.clock.now();
  const document = fromArtifact(stored);
  const { values, facts } = await judgeValues(tables, await readPast(tables, caller, document, rules.binding), now);
  const agreements = rules.binding.factRules.map((rule) =>
    planAgreement(
      values.filter((value) => value.rule === rule),
      now,
    ),
  );
  const plan = join(agreements);
  const key = `facts-${place.namespace}/${place.path}-${document.version}-`;
  const patch: ReplayPatch | undefined =
    plan.ops.length === 0
      ? undefined
      : {
          ...place,
          profileId: rules.profile.profileId,
          bindingId: rules.binding.bindingId,
          baseVersion: document.version,
          ops: plan.ops,
          confidence: plan.confidence,
          evidence: { fact_ids: plan.factIds },
          idempotencyKey: `facts-${hashOf([key, [...plan.factIds]])}`,
          reason: factReason,
        };
  return { document, patch, nextAt: nextTime(facts, now) };
}

function join(agreements: readonly Agreement[]): Agreement {
  return {
    ops: agreements.flatMap(({ ops }) => ops),
    factIds: [...new Set(agreements.flatMap(({ factIds }) => factIds))],
    confidence: Math.min(...agreements.map(({ confidence }) => confidence)),
  };
}

function hashOf(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);
}

function nextTime(facts: readonly Fact[], now: Date): Date | null {
  const times = facts
    .filter(({ state }) => state.standing === 'held')
    .flatMap(({ state }) => [state.validFrom.getTime(), state.validTo?.getTime() ?? 0])
    .filter((time) => time > now.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Returns whether the patch was applied. */
async function applyOrKeep(
  engine: Engine,
  caller: Caller,
  { etag, body }: GovernedDocument,
  patch: ReplayPatch,
): Promise<boolean> {
  try {
    const { redirected } = await applyReplayPatch(engine, caller, patch, { base: { etag, content: body.content } });
    return !redirected;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || error.code === 'ETAG_MISMATCH') throw error;
    const now = engine.clock.now();
    const { reason: _, formerKey: __, ...kept } = patch;
    const fault = { problemCode: error.code, problem: error.message, ...firstRetry(error, now), attempts: 1 };
    const times = { createdAt: now, updatedAt: now };
    const patchId = unresolvedIdOf(patch.idempotencyKey);
    await putUnresolved(engine, caller, { ...kept, ...fault, ...times, patchId, userId: caller.userId, replayId }, []);
    return false;
  }
}

/** In the place of a replay's id, for unresolved patches that follow from facts. */
const replayId = 'facts';
const unresolvedAtMost = 1000;

/** Removes unresolved patches of the document that follow from earlier facts. */
async function dropOutdated(tables: Tables, place: DocumentPlace, patch: ReplayPatch | undefined): Promise<void> {
  const unresolved = await tables.unresolvedPatches.list({ limit: unresolvedAtMost });
  const present = patch === undefined ? undefined : unresolvedIdOf(patch.idempotencyKey);
  for (const { patchId, ...one } of unresolved) {
    const isOfPlace = one.namespace === place.namespace && one.path === place.path;
    if (isOfPlace && one.replayId === replayId && patchId !== present) tables.unresolvedPatches.delete(patchId);
  }
}
