import { type Json, uuidv7 } from '@memhall/core';
import type { WorkingValue } from '../../ports/working-values.js';
import { contentHash } from '../audit/audit-record.js';
import { mutate } from '../audit/mutate.js';
import type { Caller } from '../caller.js';
import type { Engine } from '../engine.js';
import { checkPrecondition, type Precondition } from '../precondition.js';
import { workingTarget } from './working-target.js';

export interface PutWorkingValue {
  planId: string;
  key: string;
  value: Json;
  /** Absent: the value stays until it is deleted, also when the one it replaces would have expired. */
  ttlSeconds: number | undefined;
  precondition: Precondition;
}

export function putWorkingValue(engine: Engine, caller: Caller, input: PutWorkingValue): Promise<WorkingValue> {
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
