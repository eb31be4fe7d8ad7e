import { type Json, uuidv7 } from '@memhall/core';
import type { WorkingValue } from '../../ports/working-values.js';
import { contentHash } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import { refuseOffTheRecord } from '../audit/off-the-record.js';
import { type Caller, onTheRecord, scopeOf } from '../caller.js';
import type { Engine } from '../engine.js';
import { decodeCursor, type Page, toPage } from '../page.js';
import { checkPrecondition, type Precondition } from '../precondition.js';

/** How the audit log names a plan's working memory, or one value of it. */
export function workingTarget(planId: string, key?: string): string {
  return key === undefined ? `working/${planId}` : `working/${planId}/${key}`;
}

export function getWorkingValue(
  engine: Engine,
  caller: Caller,
  input: { planId: string; key: string },
): Promise<WorkingValue | undefined> {
  const now = engine.clock.now();
  return engine.store.read(scopeOf(caller), (tables) => tables.workingValues.get(input.planId, input.key, now));
}

export async function listWorkingValues(
  engine: Engine,
  caller: Caller,
  input: { planId: string; prefix?: string | undefined; limit: number; cursor: string | undefined },
): Promise<Page<WorkingValue>> {
  const now = engine.clock.now();
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor, 1)[0];
  const rows = await engine.store.read(scopeOf(caller), (tables) =>
    tables.workingValues.list(input.planId, { prefix: input.prefix ?? '', after, limit: input.limit + 1, now }),
  );
  return toPage(rows, input.limit, ({ key }) => [key]);
}

interface PutWorkingValue {
  planId: string;
  key: string;
  value: Json;
  /** Undefined: the value never expires, even if the value it replaces would have. */
  ttlSeconds: number | undefined;
  /** The session that it comes from, if any. Throws OFF_THE_RECORD if that is off the record. */
  sessionId?: string | undefined;
  precondition: Precondition;
}

export async function putWorkingValue(engine: Engine, caller: Caller, input: PutWorkingValue): Promise<WorkingValue> {
  await refuseOffTheRecord(engine, caller, input.sessionId);
  return mutate(engine, caller, async (tables, now) => {
    const current = await tables.workingValues.get(input.planId, input.key, now);
    checkPrecondition(input.precondition, current?.etag);
    const next: WorkingValue = {
      planId: input.planId,
      key: input.key,
      value: input.value,
      etag: uuidv7(now.getTime()),
      createdAt: current?.createdAt ?? now,
      updatedAt: now,
      expiresAt: input.ttlSeconds === undefined ? null : new Date(now.getTime() + input.ttlSeconds * 1000),
    };
    tables.workingValues.put(next);
    const mutation = {
      target: workingTarget(input.planId, input.key),
      preEtag: current?.etag ?? null,
      postEtag: next.etag,
      contentHash: contentHash(input.value),
    };
    return { result: next, mutations: [mutation] };
  });
}

/** Returns false if there was no such value. */
export function deleteWorkingValue(
  engine: Engine,
  caller: Caller,
  input: { planId: string; key: string; precondition: Precondition },
): Promise<boolean> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const current = await tables.workingValues.get(input.planId, input.key, now);
    if (current === undefined) return { result: false, mutations: [] };
    checkPrecondition(input.precondition, current.etag);
    tables.workingValues.delete(input.planId, input.key);
    const target = workingTarget(input.planId, input.key);
    return { result: true, mutations: [{ target, preEtag: current.etag, postEtag: null, contentHash: null }] };
  });
}

/** Deletes a plan's whole working memory and returns the number of deleted values. */
export function clearWorkingValues(engine: Engine, caller: Caller, input: { planId: string }): Promise<number> {
  return mutate(engine, onTheRecord(caller), async (tables, now) => {
    const deleted = await tables.workingValues.deletePlan(input.planId, now);
    const mutation = { target: workingTarget(input.planId), preEtag: null, postEtag: null, contentHash: null };
    return { result: deleted, mutations: deleted > 0 ? [mutation] : [] };
  });
}
